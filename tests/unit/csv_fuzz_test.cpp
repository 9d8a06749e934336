// Damaged files either parse or are refused with a sentence; nothing else may happen. Seed 11.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/csv.hpp"

namespace tauhat {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

const std::vector<std::string> kCorpus = {
    "t,w\n0,1.5\n0.5,-2\n1,30\n",
    "Name: drive 4\r\nt [ms];w [rpm]\r\n0;1,5\r\n0,5;-2\r\n1;30\r\n",
    "# t w tau\n  0    1.5   3e-5\n0.5     -2  1\n  1     30 nan\n",
    "\"t\"\t\"w \"\"x\"\"\"\n\"0\"\t\"1.5\"\n\"0.5\"\t\n",
    "t;w;tau;\ns;rpm;Nm;\n2024-05-01T12:00:00.001Z;1;2;\n2024-05-01T12:00:00.002Z;1;2;\n",
    "\xEF\xBB\xBFt|w\n0|123456789012345678901234567890\n1|1e-310",
    "\xFF\xFEt\0,\0w\0\n\0"
    "0\0,\0"
    "1\0\n\0"
    "2\0,\0"
    "3\0"s,
};

constexpr std::string_view kNastyBytes = "\0\n\r\t \",;|.#%-+eE019\xFF\xB0\xC3[("sv;

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string mutated(std::string text) {
    for (std::size_t edits = 1 + below(8); edits > 0; --edits) {
      const std::size_t at = below(text.size() + 1);
      const char byte = kNastyBytes[below(kNastyBytes.size())];
      switch (below(5)) {
        case 0:
          text.insert(at, 1, byte);
          break;
        case 1:
          text.erase(at, 1 + below(6));
          break;
        case 2:
          if (at < text.size()) text[at] = byte;
          break;
        case 3:
          text.resize(at);
          break;
        default:
          text.insert(at, text.substr(below(text.size() + 1), below(40)));
          break;
      }
    }
    return text;
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  std::mt19937 random_;
};

TEST(CsvFuzz, DamagedFilesParseOrAreRefused) {
  Mutator mutator(11);
  int parsed = 0, refused = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string damaged = mutator.mutated(kCorpus[mutator.below(kCorpus.size())]);
    const std::vector<char> bytes(damaged.begin(), damaged.end());  // a string would hide a read past its end
    const std::string_view text(bytes.data(), bytes.size());
    try {
      const std::vector<std::string> wanted = i % 2 == 0 ? std::vector<std::string>{} : std::vector<std::string>{"#2"};
      const CsvTable table = parse_csv(text, "run3.csv", wanted);
      for (const Column& column : table.columns) ASSERT_EQ(column.values.size(), table.rows());
      ASSERT_GE(table.line_of(table.rows()), table.rows());
      ++parsed;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::unusable_data);
      ++refused;
    }
  }
  EXPECT_GT(parsed, 200);  // else the mutations would test one branch only
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace tauhat
