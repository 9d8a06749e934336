// Every command line in the documents runs, and the README's table has the quantities that the program prints.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Lines of ```sh blocks that call the program, with ./run and tauhat replaced by this build's.
std::vector<std::string> commands_in(const fs::path& path) {
  std::vector<std::string> commands;
  std::istringstream lines(text_of(path));
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = line == "```sh";
      continue;
    }
    const bool calls = line.starts_with("./run ") && !line.starts_with("./run  ");
    if (inside && calls) commands.push_back(program().string() + line.substr(5));
    if (inside && line.starts_with("tauhat ")) commands.push_back(program().string() + line.substr(6));
  }
  return commands;
}

std::vector<fs::path> documents() {
  std::vector<fs::path> found{source_dir() / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(source_dir() / "docs")) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  for (const auto& entry : fs::directory_iterator(source_dir() / "studies"))
    found.push_back(entry.path() / "README.md");
  return found;
}

TEST(Documents, EveryFolderOfStudiesHasAPageAndItsPicturesAreThere) {
  for (const auto& folder : fs::directory_iterator(source_dir() / "studies")) {
    const std::string text = text_of(folder.path() / "README.md"), open = "](";
    EXPECT_FALSE(text.empty()) << folder << " has no README.md";
    for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
      const std::string link = text.substr(at + open.size(), text.find(')', at) - at - open.size());
      EXPECT_TRUE(link.starts_with("http") || fs::exists(folder.path() / link)) << folder << ": " << link;
    }
  }
}

// Every ```toml block is a whole study.
TEST(Documents, EveryStudyIsOne) {
  int studies = 0;
  for (const fs::path& document : documents()) {
    const std::string text = text_of(document), open = "```toml\n";
    for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at + 1)) {
      const std::size_t begin = at + open.size();
      EXPECT_NO_THROW(parse_study(text.substr(begin, text.find("```", begin) - begin), document.string())) << document;
      ++studies;
    }
  }
  EXPECT_GE(studies, 1);
}

// The guides call the program by its name; `./run` is the README's, for who has not built it yet.
TEST(Documents, GuidesCallTheProgramByItsName) {
  for (const fs::path& document : documents()) {
    if (document.parent_path().filename() != "guides") continue;
    std::istringstream lines(text_of(document));
    for (std::string line; std::getline(lines, line);)
      EXPECT_TRUE(line.find("./run ") == std::string::npos || line.find("./run ARGS") != std::string::npos)
          << document << ": " << line;
  }
}

TEST(Documents, EveryCommandRuns) {
  const fs::path folder = fs::temp_directory_path() / ("tauhat_docs_" + std::to_string(::getpid()));
  fs::create_directories(folder / "out");
  fs::copy(source_dir() / "studies", folder / "studies", fs::copy_options::recursive);
  int run = 0;
  std::set<std::string> done;  // a study's page has the commands of its guide
  for (const fs::path& document : documents()) {
    for (const std::string& command : commands_in(document)) {
      if (!done.insert(command).second) continue;
      const int status = std::system(("cd " + folder.string() + " && " + command + " > last.txt 2>&1").c_str());
      EXPECT_EQ(WEXITSTATUS(status), 0) << document << ": " << command << "\n" << text_of(folder / "last.txt");
      ++run;
      if (command.find(" identify studies/demo") == std::string::npos) continue;
      // The README shows this table: the same quantities, whatever the last digits of this machine's arithmetic.
      const std::string shown = text_of(source_dir() / "README.md");
      std::istringstream printed(text_of(folder / "last.txt"));
      for (std::string line; std::getline(printed, line);) {
        std::istringstream words(line);
        std::string name;
        if (line.find("±") == std::string::npos || !(words >> name) || name == "The") continue;
        EXPECT_NE(shown.find("\n  " + name + " "), std::string::npos) << "not in the README: " << name;
      }
    }
  }
  EXPECT_GE(run, 3);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace tauhat
