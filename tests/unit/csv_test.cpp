#include "tauhat/offline/log/csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> names_of(const CsvTable& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

std::vector<std::string> units_of(const CsvTable& table) {
  std::vector<std::string> units;
  for (const Column& column : table.columns) units.push_back(column.unit);
  return units;
}

std::string refusal(std::string_view text, const std::vector<std::string>& wanted = {}) {
  try {
    parse_csv(text, "run3.csv", wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unusable_data);
    return error.what();
  }
  return "accepted";
}

struct DialectCase {
  const char* what;
  std::string text;
  char separator;
  bool decimal_comma;
};

// One table, t = 0, 0.5, 1 and w = 1.5, -2, 30, in the ways that instruments write it.
TEST(ParseCsv, ReadsTheSameTableInAnyDialect) {
  const std::vector<DialectCase> cases = {
      {"plain", "t,w\n0,1.5\n0.5,-2\n1,30\n", ',', false},
      {"no newline at the end", "t,w\n0,1.5\n0.5,-2\n1,30", ',', false},
      {"CRLF", "t,w\r\n0,1.5\r\n0.5,-2\r\n1,30\r\n", ',', false},
      {"UTF-8 byte order mark", "\xEF\xBB\xBFt,w\n0,1.5\n0.5,-2\n1,30\n", ',', false},
      {"spaces around", " t , w \n 0 , 1.5 \n 0.5 , -2 \n 1 , 30 \n", ',', false},
      {"semicolons", "t;w\n0;1.5\n0.5;-2\n1;30\n", ';', false},
      {"decimal comma", "t;w\n0;1,5\n0,5;-2\n1;30\n", ';', true},
      {"tabs", "t\tw\n0\t1.5\n0.5\t-2\n1\t30\n", '\t', false},
      {"tabs and decimal comma", "t\tw\n0\t1,5\n0,5\t-2\n1\t30\n", '\t', true},
      {"bars", "t|w\n0|1.5\n0.5|-2\n1|30\n", '|', false},
      {"aligned with spaces", "  t      w\n  0    1.5\n0.5     -2\n  1     30\n", ' ', false},
      {"aligned with tabs", "# t w\n0\t\t1.5\n0.5\t\t-2\n1\t\t30\n", ' ', false},
      {"spaces and decimal comma", "t w\n0 1,5\n0,5 -2\n1 30\n", ' ', true},
      {"quoted", "\"t\",\"w\"\n\"0\",\"1.5\"\n\"0.5\",\"-2\"\n\"1\",\"30\"\n", ',', false},
      {"trailing separator", "t;w;\n0;1.5;\n0.5;-2;\n1;30;\n", ';', false},
      {"trailing separator in rows only", "t,w\n0,1.5,\n0.5,-2,\n1,30,\n", ',', false},
      {"comments", "# drive 4\nt,w\n0,1.5\n% pause\n0.5,-2\n// go on\n1,30\n", ',', false},
      {"commented header, as numpy.savetxt writes it", "# t w\n0 1.5\n0.5 -2\n1 30\n", ' ', false},
      {"preamble", "Name: drive 4\nDate;2024-05-01\n\nt;w\n0;1.5\n0.5;-2\n1;30\n", ';', false},
      {"preamble with numbers", "Rate;500\nAxis;4\nt;w\n0;1.5\n0.5;-2\n1;30\n", ';', false},
      {"Excel's hint", "sep=;\nt;w\n0;1,5\n0,5;-2\n1;30\n", ';', true},
      {"units row", "t;w\ns;rpm\n0;1.5\n0.5;-2\n1;30\n", ';', false},
      {"blank lines", "\n\nt,w\n\n0,1.5\n\n0.5,-2\n1,30\n\n", ',', false},
  };
  for (const DialectCase& expected : cases) {
    SCOPED_TRACE(expected.what);
    const CsvTable table = parse_csv(expected.text, "run3.csv", {"t", "w"});
    EXPECT_EQ(table.dialect.separator, expected.separator);
    EXPECT_EQ(table.dialect.decimal_comma, expected.decimal_comma);
    EXPECT_TRUE(table.dialect.has_header);
    EXPECT_THAT(table.columns[0].values, ElementsAre(0.0, 0.5, 1.0));
    EXPECT_THAT(table.columns[1].values, ElementsAre(1.5, -2.0, 30.0));
  }
}

TEST(ParseCsv, ReadsUtf16) {
  const std::u16string wide = u"t,w [°]\n0,1\n1,2\n";
  std::string bytes = "\xFF\xFE";
  for (const char16_t unit : wide) {
    bytes += static_cast<char>(unit & 0xFF);
    bytes += static_cast<char>(unit >> 8);
  }
  const CsvTable table = parse_csv(bytes, "run3.csv");
  EXPECT_THAT(names_of(table), ElementsAre("t", "w"));
  EXPECT_EQ(table.columns[1].unit, "°");
  EXPECT_THAT(table.columns[1].values, ElementsAre(1.0, 2.0));
}

// A lone 0xB0 is a degree sign in Latin-1; reports need UTF-8.
TEST(ParseCsv, TakesOtherTextForLatin1) {
  const CsvTable table = parse_csv("t,w [\xB0/s]\n0,1\n1,2\n", "run3.csv");
  EXPECT_EQ(table.columns[1].unit, "°/s");
}

TEST(ParseCsv, FindsUnitsInTheHeader) {
  const CsvTable table = parse_csv("t [ms];speed (rpm);axis[1];torque (filtered);pos [inc]\n1;2;3;4;5\n", "run3.csv");
  EXPECT_THAT(names_of(table), ElementsAre("t", "speed", "axis[1]", "torque (filtered)", "pos"));
  EXPECT_THAT(units_of(table), ElementsAre("ms", "rpm", "", "", "inc"));
  EXPECT_FALSE(table.dialect.has_units_row);
}

TEST(ParseCsv, FindsUnitsInTheirRow) {
  for (const char* units : {"s;rpm;Nm;1", "[s];[rpm];[Nm];[-]", "s;rpm;Nm;", "s;rpm;Nm;inc"}) {
    const CsvTable table = parse_csv("t;w;tau;n\n" + std::string(units) + "\n0;1;2;3\n1;2;3;4\n", "run3.csv");
    EXPECT_TRUE(table.dialect.has_units_row) << units;
    EXPECT_EQ(table.dialect.first_data_line, 3u) << units;
    EXPECT_EQ(table.columns[1].unit, "rpm") << units;
    EXPECT_EQ(table.columns[2].unit, "Nm") << units;
  }
}

TEST(ParseCsv, NamesColumnsByPlaceWithoutAHeader) {
  const CsvTable table = parse_csv("0,1\n1,2\n", "run3.csv");
  EXPECT_FALSE(table.dialect.has_header);
  EXPECT_THAT(names_of(table), ElementsAre("#1", "#2"));
  EXPECT_THAT(parse_csv("0,1\n1,2\n", "run3.csv", {"#2"}).columns[0].values, ElementsAre(1.0, 2.0));
}

TEST(ParseCsv, KeepsThePreamble) {
  const CsvTable table = parse_csv("Name: drive 4\n# rate 500\nt,w\n0,1\n1,2\n", "run3.csv");
  EXPECT_THAT(table.preamble, ElementsAre("Name: drive 4", "# rate 500"));
}

// Columns come in the order asked for; text in the others does not matter.
TEST(ParseCsv, ConvertsOnlyWantedColumns) {
  const std::string text = "t,state,w [rpm],note\n0,run,1,\"a, \"\"b\"\"\"\n1,stop,2,n/a\n";
  const CsvTable table = parse_csv(text, "run3.csv", {"w", "#1", "w [rpm]"});
  EXPECT_THAT(names_of(table), ElementsAre("w", "t", "w"));
  EXPECT_THAT(table.columns[0].values, ElementsAre(1.0, 2.0));
  EXPECT_THAT(table.columns[1].values, ElementsAre(0.0, 1.0));
  EXPECT_THAT(table.columns[2].values, ElementsAre(1.0, 2.0));
}

TEST(ParseCsv, TakesEmptyCellsAndNanForMissing) {
  const CsvTable table = parse_csv("t,w\n0,\n1,nan\n2,NaN\n3, \n4,-nan\n5,\"\"\n6,7\n", "run3.csv");
  for (std::size_t row = 0; row < 6; ++row) EXPECT_TRUE(std::isnan(table.columns[1].values[row])) << row;
  EXPECT_EQ(table.columns[1].values[6], 7.0);
}

// 2024-05-01T23:59:59.5 is 0.5 s before midnight; the zone +02:00 is two hours ahead of UTC.
TEST(ParseCsv, ReadsTimeStampsAsSecondsSinceTheFirstMidnight) {
  const CsvTable table = parse_csv(
      "t;w\n2024-05-01T23:59:59.5;1\n2024-05-02 00:00:01,25;2\n;3\n2024-05-02T02:00:02+02:00;4\n", "run3.csv");
  EXPECT_TRUE(table.columns[0].time_stamps);
  EXPECT_EQ(table.columns[0].values[0], 86399.5);
  EXPECT_EQ(table.columns[0].values[1], 86401.25);
  EXPECT_EQ(table.columns[0].values[3], 86402.0);
  EXPECT_THAT(refusal("t,w\n2024-05-01T23:59:59,1\n12,2\n2024-05-01T23:59:59,1\n"),
              HasSubstr("2 of 3 cells are dates"));
}

// The first 1000 rows, a drive at rest, do not show the decimal mark yet.
TEST(ParseCsv, FindsADecimalCommaLate) {
  std::string text = "t;w\n";
  for (int row = 0; row < 1000; ++row) text += std::to_string(row) + ";0\n";
  const CsvTable table = parse_csv(text + "1000;0,25\n", "run3.csv");
  EXPECT_TRUE(table.dialect.decimal_comma);
  EXPECT_EQ(table.rows(), 1001u);
  EXPECT_EQ(table.columns[1].values.back(), 0.25);
}

TEST(ParseCsv, CountsLinesAcrossCommentsAndBlankLines) {
  const CsvTable table = parse_csv("t,w\n0,1\n\n# pause\n1,2\n2,3\n# end\n3,4\n", "run3.csv");
  EXPECT_EQ(table.line_of(0), 2u);
  EXPECT_EQ(table.line_of(1), 5u);
  EXPECT_EQ(table.line_of(2), 6u);
  EXPECT_EQ(table.line_of(3), 8u);
}

struct RefusalCase {
  std::string text;
  std::vector<std::string> wanted;
  const char* sentence;
};

TEST(ParseCsv, RefusesWithASentenceThatHelps) {
  const std::vector<RefusalCase> cases = {
      {"t,w_m\n0,1\n1,n/a\n",
       {},
       "run3.csv:3: column \"w_m\": \"n/a\" is not a number (use an empty cell or nan for a missing sample)"},
      {"t,w_m\nn/a,1\n1,2\n2,3\n",
       {},
       "run3.csv:2: column \"t\": \"n/a\" is not a number (use an empty cell or nan for a missing sample)"},
      {"t,w\n0,1\n\n#\n1,inf\n",
       {},
       "run3.csv:5: column \"w\": \"inf\" is not a number (use an empty cell or nan for a missing sample)"},
      {"t,w\n0,1\n1,1e999\n",
       {},
       "run3.csv:3: column \"w\": \"1e999\" is not a number (use an empty cell or nan for a missing sample)"},
      {"t;w\n0,5;1\n0.5;1\n1,5;2\n",
       {},
       "run3.csv:3: column \"t\": \"0.5\" is not a number (use an empty cell or nan for a missing sample)"},
      {"t,w\n0,1\n1\n2,3\n", {}, "run3.csv:3: 1 field, but the table has 2 columns (separated by ',')"},
      {"t\tw\n0\t1\n1\t2\t3\n2\t3\n", {}, "run3.csv:3: 3 fields, but the table has 2 columns (separated by a tab)"},
      {"t,w,w\n0,1,2\n1,2,3\n", {}, "run3.csv: column \"w\" occurs twice; name it by its place, \"#2\" or \"#3\""},
      {"t,w_m,tau\n0,1,2\n1,2,3\n",
       {"t", "w_n"},
       "run3.csv: no column \"w_n\"; did you mean \"w_m\"? The 3 columns are \"t\", \"w_m\", \"tau\""},
      // A column that is asked for as well is not the one that was meant.
      {"t,w_l,wm\n0,1,2\n1,2,3\n",
       {"t", "w_l", "w_m"},
       "run3.csv: no column \"w_m\"; did you mean \"wm\"? The 3 columns are \"t\", \"w_l\", \"wm\""},
      {"0,1,2\n1,2,3\n",
       {"velocity"},
       "run3.csv: no column \"velocity\". The 3 columns are \"#1\", \"#2\", \"#3\" (no header found above "
       "line 1)"},
      {"t,w\n0,1\n1,2\n", {"#7"}, "run3.csv: no column \"#7\". The 2 columns are \"t\", \"w\""},
      {"", {}, "run3.csv: the file is empty"},
      {" \n\r\n", {}, "run3.csv: the file is empty"},
      {"# nothing\n", {}, "run3.csv: the file holds comments only, no rows"},
      {"t,w\n", {}, "run3.csv: line 1 is a header, but no rows of numbers follow it"},
      {"Dear all,\nplease find\nattached,\nthe log.\n",
       {},
       "run3.csv: none of the first 4 lines holds a number, so this is not a log"},
      {std::string("\x89HDF\r\n\x1a\n\0\0\0\0\0", 13),
       {},
       "run3.csv: holds binary data, not text; export the log as CSV in UTF-8"},
  };
  for (const RefusalCase& expected : cases) EXPECT_EQ(refusal(expected.text, expected.wanted), expected.sentence);
}

// Power was lost: the file system left zeros where the last rows were to come.
TEST(ParseCsv, ShowsControlCharactersInMessages) {
  std::string text = "t,w\n";
  for (int row = 0; row < 200; ++row) text += std::to_string(row) + ",1\n";
  text += std::string("200,\0\0\n", 7);
  EXPECT_THAT(refusal(text), HasSubstr("run3.csv:202: column \"w\": \"\\x00\\x00\" is not a number"));
}

// A column may be named twice as long as nobody asks for it by that name.
TEST(ParseCsv, AllowsTwinColumnsByPlace) {
  const CsvTable table = parse_csv("Time,CH1,Time,CH2\n0,1,5,3\n1,2,6,4\n", "run3.csv", {"#1", "CH1", "#3", "CH2"});
  EXPECT_THAT(table.columns[2].values, ElementsAre(5.0, 6.0));
  EXPECT_THAT(refusal("Time,CH1,Time,CH2\n0,1,0,3\n", {"Time"}), HasSubstr("\"#1\" or \"#3\""));
}

std::string file_refusal(const std::string& path) {
  try {
    read_csv(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ReadCsv, ReadsAFileAndNamesTheOnesItCannot) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "tauhat_csv_test";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "run3.csv").string();
  std::ofstream(path) << "t,w\n0,1\n1,2\n";
  EXPECT_THAT(read_csv(path).columns[1].values, ElementsAre(1.0, 2.0));
  EXPECT_EQ(read_csv(path).source, path);
  EXPECT_EQ(file_refusal(folder.string()), folder.string() + ": is a directory, not a file");
  EXPECT_EQ(file_refusal(path + "x"), path + "x: no such file");
  std::filesystem::remove_all(folder);
}

class ListCsv : public testing::Test {
 protected:
  ~ListCsv() override { std::filesystem::remove(path_); }
  std::vector<std::string> names_in(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    std::vector<std::string> names;
    for (const ColumnInfo& column : list_csv(path_)) names.push_back(column.name);
    return names;
  }
  std::string problem_in(const std::string& text) const {
    try {
      names_in(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "no problem";
  }
  const std::string path_ = (std::filesystem::path(testing::TempDir()) / "list.csv").string();
};

TEST_F(ListCsv, ColumnsOfWordsAreLeftOutAndNamed) {
  EXPECT_THAT(names_in("t,state,w\n0,idle,1\n1,run,2\n2,run,3\n3,,4"), testing::ElementsAre("t", "w"));
  EXPECT_THAT(words_in_csv(path_), testing::ElementsAre("\"state\" holds words, such as \"idle\""));
  EXPECT_THAT(names_in("t;w;d\n0;1,5;2024-05-01T12:00:00\n1;nan;2024-05-01T12:00:01"),
              testing::ElementsAre("t", "w", "d"));
  EXPECT_THAT(words_in_csv(path_), testing::IsEmpty());
}

// A mistake in the file is no word: it is named with its line.
TEST_F(ListCsv, MistakesAreNamedWithTheirLine) {
  EXPECT_THAT(problem_in("t,w\n0,1\n1\n2,3\n3,4\n"), testing::HasSubstr("list.csv:3: 1 field, but the table has 2"));
  EXPECT_THAT(problem_in("t,w\n0,1\n1,2\n2,n/a\n3,4\n"),
              testing::HasSubstr("list.csv:4: column \"w\": \"n/a\" is not a number"));
}

}  // namespace
}  // namespace tauhat
