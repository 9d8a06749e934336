// The files that the fuzzers start from: make_seeds FOLDER writes FOLDER/mdf4/ and FOLDER/mcap/.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/mcap_samples.hpp"
#include "support/mdf4_samples.hpp"

namespace {

void write(const std::filesystem::path& folder, const std::vector<std::string>& files) {
  std::filesystem::create_directories(folder);
  for (std::size_t i = 0; i < files.size(); ++i)
    std::ofstream(folder / std::to_string(i), std::ios::binary) << files[i];
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  write(folder / "mdf4", tauhat::mdf4_samples());
  write(folder / "mcap", tauhat::mcap_samples());
}
