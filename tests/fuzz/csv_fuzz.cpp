// Any bytes as a text table: they are read, or refused with a sentence.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/csv.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const tauhat::CsvTable table = tauhat::parse_csv(text, "fuzz.csv");
    for (const tauhat::Column& column : table.columns)
      if (column.values.size() != table.rows()) __builtin_trap();
  } catch (const tauhat::Error&) {  // refused
  }
  try {
    tauhat::parse_csv(text, "fuzz.csv", {"#2"});  // the others may hold words
  } catch (const tauhat::Error&) {
  }
  return 0;
}
