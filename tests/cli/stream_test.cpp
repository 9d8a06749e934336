// tauhat stream, end to end: the numbers of `estimate`, row by row, and what it does with bad input.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/cells.hpp"
#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

using Row = std::vector<std::string>;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

class Streaming : public Program {
 protected:
  std::string study() const { return (source_dir() / "studies/demo/online.toml").string(); }
  std::string study_text() const {
    std::ifstream file(study());
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void write_study(const std::string& from, const std::string& to) const {
    ASSERT_NE(study_text().find(from), std::string::npos) << from;
    write("study.toml", replaced(study_text(), from, to));
  }

  // The first rows of the demo's log, time, load, torque and motor alone.
  std::vector<std::string> log_lines(std::size_t rows) const {
    EXPECT_EQ(run("simulate " + demo() + " --seed 1 -o " + path("log.csv")).code, 0);
    std::vector<std::string> lines;
    for (const Row& row : cells_of(read("log.csv"))) {
      if (lines.size() > rows) break;
      lines.push_back(row[0] + "," + row[1] + "," + row[2] + "," + row[3]);
    }
    return lines;
  }
  void write_lines(const std::string& name, const std::vector<std::string>& lines) const {
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    write(name, text);
  }

  // Standard output and standard error go to files of these names.
  int stream(const std::string& study_path, const std::string& log) const {
    const int status = std::system((program().string() + " stream " + study_path + " < " + path(log) + " > " +
                                    path("out.csv") + " 2> " + path("err.txt"))
                                       .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // Every number of `estimate` is in the stream, as the same text, and nothing else is.
  void expect_numbers_of_estimate(const std::string& study_path, const std::string& log, std::size_t lag) const {
    ASSERT_EQ(run("estimate " + study_path + " " + path(log) + " -o " + path("e.csv")).code, 0);
    ASSERT_EQ(stream(study_path, log), 0) << read("err.txt");
    const auto estimated = cells_of(read("e.csv")), streamed = cells_of(read("out.csv"));
    const std::size_t filter_cells = lag > 0 ? (estimated[0].size() - 1) / 2 + 1 : estimated[0].size();
    const std::size_t instants = estimated.size() - 1;
    lag = std::min(lag, instants);
    ASSERT_EQ(streamed.size(), estimated.size() + lag);
    for (std::size_t k = 0; k < estimated.size(); ++k) {
      const Row &expected = estimated[k], &found = streamed[k];
      ASSERT_TRUE(std::equal(found.begin(), found.begin() + static_cast<long>(filter_cells), expected.begin())) << k;
      if (lag == 0 || k == 0) continue;
      const Row& later = streamed[k + lag];  // the row that has the lagged values of instant k
      ASSERT_EQ(later[filter_cells], expected[0]);
      ASSERT_TRUE(std::equal(later.begin() + static_cast<long>(filter_cells) + 1, later.end(),
                             expected.begin() + static_cast<long>(filter_cells), expected.end()))
          << k;
      ASSERT_EQ(found[filter_cells].empty(), k <= lag);
      ASSERT_EQ(later[0].empty(), k + lag > instants);
    }
  }
};

TEST_F(Streaming, GivesTheNumbersOfEstimate) {
  ASSERT_EQ(run("simulate " + demo() + " --seed 1 -o " + path("log.csv")).code, 0);
  expect_numbers_of_estimate(study(), "log.csv", 100);  // 50 ms at 2 kHz
  write_study("lag = \"50 ms\"", "lag = 17");
  expect_numbers_of_estimate(path("study.toml"), "log.csv", 17);
  write_study("lag = \"50 ms\"", "");
  expect_numbers_of_estimate(path("study.toml"), "log.csv", 0);
}

// Friction that grows with the torque that is estimated.
TEST_F(Streaming, GivesTheNumbersOfEstimateForAMesh) {
  ASSERT_EQ(run("simulate " + demo() + " --seed 1 -o " + path("log.csv")).code, 0);
  write_study("law = \"coulomb-atan\"", "law = \"load-dependent\", load_coefficient = 0.1");
  expect_numbers_of_estimate(path("study.toml"), "log.csv", 100);
}

// Offsets, a delay, a start that is given, samples that are missing, rows that are few.
TEST_F(Streaming, GivesTheNumbersOfEstimateOnUntidyLogs) {
  std::vector<std::string> lines = log_lines(60);
  lines[1] = "0,,,12";  // the filter starts with the first torque
  lines[2] = replaced(lines[2], lines[2].substr(lines[2].rfind(',')), ",");
  lines[9] = "4,,1.5,";
  lines[12] = "5.5,nan,,20";
  write_lines("untidy.csv", lines);
  write("study.toml",
        replaced(replaced(study_text(), "unit = \"rpm\", ", "unit = \"rpm\", offset = 0.37, delay = \"0.3 ms\", "),
                 "unit = \"N m\" }", "unit = \"N m\", delay = \"0.3 ms\" }"));
  expect_numbers_of_estimate(path("study.toml"), "untidy.csv", 100);
  write("study.toml", study_text() + "\n[start]\n\"motor.velocity\" = { value = 1, std = 2 }\n");
  expect_numbers_of_estimate(path("study.toml"), "untidy.csv", 100);
}

// What friction acts right now: the other model, whose velocity no sensor shows and which is already moving.
TEST_F(Streaming, GivesTheNumbersOfEstimateForAnAxis) {
  write("study.toml",
        "[drive]\nmodel = \"axis\"\nmotion = \"linear\"\naxis.mass = 95\n"
        "[[unknown]]\nsignal = \"friction.force\"\nkind = \"random-walk\"\nintensity = \"200 N/sqrt(s)\"\n"
        "[log]\ntime.rate = \"1 kHz\"\n[log.channels]\n\"axis.force\" = { column = \"f\", unit = \"N\" }\n"
        "\"axis.position\" = { column = \"x\", unit = \"mm\", std = \"10 um\" }\n"
        "[estimator]\nkind = \"ekf\"\nlag = \"20 ms\"\n");
  std::vector<std::string> lines{"f;x"};
  for (int k = 0; k < 300; ++k)
    lines.push_back(std::to_string(150.0 * std::sin(0.004 * k)) + ";" + std::to_string(500.0 + 0.3 * k));
  write_lines("axis.csv", lines);
  expect_numbers_of_estimate(path("study.toml"), "axis.csv", 20);
  EXPECT_THAT(run("estimate " + path("study.toml") + " " + path("axis.csv") + " -o " + path("e.csv")).output,
              ContainsRegex("axis.velocity +0\\.30.*m/s"));
}

TEST_F(Streaming, ReadsWhatTheLogReaderReads) {
  const std::vector<std::string> lines = log_lines(120);  // more than the lag
  write_lines("plain.csv", lines);
  ASSERT_EQ(stream(study(), "plain.csv"), 0);
  const std::string expected = read("out.csv");
  std::vector<std::string> german{"\xEF\xBB\xBF" + replaced(lines[0], ",", ";"), "ms;rpm;Nm;rpm"}, spaced{"# by hand"};
  for (const auto& line : lines) {
    if (line != lines[0]) german.push_back(replaced(replaced(line, ",", ";"), ".", ",") + "\r");
    spaced.push_back(replaced(line, ",", "  "));
  }
  for (const auto& written : {german, spaced}) {
    write_lines("other.csv", written);
    ASSERT_EQ(stream(study(), "other.csv"), 0) << read("err.txt");
    EXPECT_TRUE(read("out.csv") == expected) << written[1];
    EXPECT_EQ(read("err.txt"), "");
  }
}

TEST_F(Streaming, SkipsBadRowsAndSaysWhy) {
  std::vector<std::string> lines = log_lines(40), good;
  lines[1] = "0,1";  // already the first row
  lines[5] = "2,1,2,3,4";
  lines[7] = "3,n/a,2,3";
  lines[9] = "1,1,2,3";
  lines[11] = "5,inf,2,3";
  lines[13] = ",1,2,3";
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (k % 2 == 0 || k > 13 || k == 3) good.push_back(lines[k]);
  write_lines("good.csv", good);
  write_lines("bad.csv", lines);
  ASSERT_EQ(stream(study(), "good.csv"), 0);
  const std::string expected = read("out.csv");
  EXPECT_THAT(read("err.txt"), Not(HasSubstr("skipped")));
  ASSERT_EQ(stream(study(), "bad.csv"), 0);
  EXPECT_TRUE(read("out.csv") == expected);
  const std::string said = read("err.txt");
  EXPECT_THAT(said, HasSubstr("standard input:2: 2 fields, but the table has 4 columns"));
  EXPECT_THAT(said, HasSubstr("standard input:6: 5 fields"));
  EXPECT_THAT(said, HasSubstr("standard input:8: column \"w_l\": \"n/a\" is not a number"));
  EXPECT_THAT(said, HasSubstr("standard input:10: time does not advance, from 0.0035 s to 0.001 s"));
  EXPECT_THAT(said, HasSubstr("standard input:12: column \"w_l\": \"inf\" is not a number"));
  EXPECT_THAT(said, HasSubstr("standard input:14: column \"t\": the time of this row is missing"));
  EXPECT_THAT(said, HasSubstr("6 of 40 rows were skipped"));
}

TEST_F(Streaming, CountsBadRowsBeyondTen) {
  std::vector<std::string> lines = log_lines(120);  // more than the lag
  lines.insert(lines.begin() + 5, 500, "x,y,z,w");
  lines.insert(lines.begin() + 5, std::string(3'000'000, '7'));  // a line without an end
  write_lines("bad.csv", lines);
  ASSERT_EQ(stream(study(), "bad.csv"), 0);
  const std::string said = read("err.txt");
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 12);
  EXPECT_THAT(said, HasSubstr("standard input:15: "));
  EXPECT_THAT(said, Not(HasSubstr("standard input:16: ")));
  EXPECT_THAT(said, HasSubstr("501 of 621 rows were skipped"));
  EXPECT_EQ(cells_of(read("out.csv")).size(), 1U + 120U + 100U);
}

// A stamp that is far ahead, or a controller that starts again, does not end the stream.
TEST_F(Streaming, StartsAnewWhenTheClockIsSetBack) {
  std::vector<std::string> lines = log_lines(60);
  lines[20] = "9e9" + lines[20].substr(lines[20].find(','));
  write_lines("jump.csv", lines);
  ASSERT_EQ(stream(study(), "jump.csv"), 0);
  const std::string said = read("err.txt");
  EXPECT_THAT(said, HasSubstr("standard input:22: time does not advance"));
  EXPECT_THAT(
      said, HasSubstr("standard input:32: the clock was set back, from 9000000 s to 0.015 s; the filter starts anew"));
  const auto rows = cells_of(read("out.csv"));
  ASSERT_EQ(rows.size(), 1U + 20U + 20U + 30U + 30U);  // each stretch, and what its lag held
  EXPECT_EQ(rows[41][0], "0.015");
}

// Where the rows have no clock, a bad one still takes its time.
TEST_F(Streaming, ARateCountsBadRows) {
  std::vector<std::string> lines = log_lines(10);
  lines[4] = "x,x,x,x";
  write_lines("bad.csv", lines);
  write_study("time = { column = \"t\", unit = \"ms\" }", "time.rate = \"2 kHz\"");
  ASSERT_EQ(stream(path("study.toml"), "bad.csv"), 0);
  const auto rows = cells_of(read("out.csv"));
  EXPECT_EQ(rows[3][0], "0.001");
  EXPECT_EQ(rows[4][0], "0.002");
}

TEST_F(Streaming, AClosedPipeEndsItQuietly) {
  ASSERT_EQ(run("simulate " + demo() + " -o " + path("log.csv")).code, 0);
  const std::string command = "( " + program().string() + " stream " + study() + " < " + path("log.csv") + " 2> " +
                              path("err.txt") + "; echo $? > " + path("code.txt") + " ) | head -n 5 > " +
                              path("out.csv");
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read("code.txt"), "0\n");
  EXPECT_EQ(read("err.txt"), "");
  EXPECT_EQ(cells_of(read("out.csv")).size(), 5U);
}

// A program behind pipes, talked to line by line.
class Conversation {
 public:
  explicit Conversation(const std::string& study) {
    int in[2], out[2];
    if (::pipe(in) != 0 || ::pipe(out) != 0) throw std::runtime_error("no pipe");
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      for (const int end : {in[0], in[1], out[0], out[1]}) ::close(end);
      ::execl(program().c_str(), "tauhat", "stream", study.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = ::fdopen(out[0], "r");
  }
  ~Conversation() {
    ::close(to_);
    std::fclose(from_);
    ::waitpid(child_, nullptr, 0);
  }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  void say(const std::string& line) const {
    const std::string text = line + "\n";
    EXPECT_EQ(::write(to_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::string hear() const {
    std::string line;
    for (int c = std::fgetc(from_); c != EOF && c != '\n'; c = std::fgetc(from_)) line += static_cast<char>(c);
    return line;
  }

 private:
  pid_t child_ = -1;
  int to_ = -1;
  std::FILE* from_ = nullptr;
};

// The answer to a row is there before the next row is.
TEST_F(Streaming, AnswersEachRowAtOnce) {
  const std::vector<std::string> lines = log_lines(20);
  const Conversation conversation(study());
  conversation.say(lines[0]);
  conversation.say(lines[1]);
  EXPECT_THAT(conversation.hear(), testing::StartsWith("time,motor.position,"));
  EXPECT_THAT(conversation.hear(), testing::StartsWith("0,"));
  for (std::size_t k = 2; k < lines.size(); ++k) {
    conversation.say(lines[k]);
    EXPECT_THAT(conversation.hear(), ContainsRegex("^0\\.[0-9]+,"));
  }
}

TEST_F(Streaming, InputWithoutRowsIsUnusable) {
  write("empty.csv", "");
  EXPECT_EQ(stream(study(), "empty.csv"), 3);
  EXPECT_THAT(read("err.txt"), HasSubstr("standard input: is empty"));
  write("header.csv", "t,w_l,tau_cmd,w_m\n");
  EXPECT_EQ(stream(study(), "header.csv"), 3);
  EXPECT_THAT(read("err.txt"), HasSubstr("line 1 is a header, but no rows of numbers follow it"));
  write("column.csv", "t,w_l,tau_cmd\n1,2,3\n");
  EXPECT_EQ(stream(study(), "column.csv"), 3);
  EXPECT_THAT(read("err.txt"), HasSubstr("no column \"w_m\""));
  write("torque.csv", "t,w_l,tau_cmd,w_m\n1,2,,3\n2,2,,3\n");
  EXPECT_EQ(stream(study(), "torque.csv"), 3);
  EXPECT_THAT(read("err.txt"), HasSubstr("none of its 2 rows can be used"));
  EXPECT_EQ(read("out.csv"), "");
}

TEST_F(Streaming, AStudyMustGiveWhatARecordWould) {
  write("some.csv", "t,w_l,tau_cmd,w_m\n1,2,3,4\n");
  write("study.toml",
        replaced(replaced(study_text(), "\"31.6 N m/sqrt(s)\"", "\"auto\""), ", std = \"0.3 rad/s\"", ""));
  EXPECT_EQ(stream(path("study.toml"), "some.csv"), 2);
  EXPECT_THAT(read("err.txt"), HasSubstr("the study must give the intensity of transmission.torque in [[unknown]], the "
                                         "std of load.velocity in [log.channels], the std of motor.velocity"));
  EXPECT_THAT(read("err.txt"), HasSubstr("tauhat identify"));
  write_study("unit = \"N m\" }", "unit = \"N m\", delay = \"1 ms\" }");
  EXPECT_EQ(stream(path("study.toml"), "some.csv"), 2);
  EXPECT_THAT(read("err.txt"), HasSubstr("one clock and one delay"));
  for (const auto& [lag, reason] : std::vector<std::pair<std::string, std::string>>{
           {"\"50\"", "has no unit"}, {"2.5", "whole number of samples"}, {"0", "lag"}, {"\"9 rad\"", "wrong unit"}}) {
    write_study("lag = \"50 ms\"", "lag = " + lag);
    EXPECT_EQ(stream(path("study.toml"), "some.csv"), 2);
    EXPECT_THAT(read("err.txt"), HasSubstr(reason));
  }
}

TEST_F(Streaming, ALagLongerThanTheRecordIsNamed) {
  write_lines("short.csv", log_lines(40));
  const Outcome outcome = run("estimate " + study() + " " + path("short.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("lag.longer_than_record"));
  EXPECT_EQ(stream(study(), "short.csv"), 0);
  EXPECT_THAT(read("err.txt"), HasSubstr("standard input: The record has 40 samples, the lag 100: no instant is "
                                         "followed by a whole lag."));
  write_lines("long.csv", log_lines(101));
  EXPECT_EQ(stream(study(), "long.csv"), 0);
  EXPECT_THAT(read("err.txt"), Not(HasSubstr("whole lag")));
}

// Rounded to a whole sample it would be another lag than the study says.
TEST_F(Streaming, ALagBelowASampleIsRefused) {
  write_lines("log.csv", log_lines(40));
  write_study("lag = \"50 ms\"", "lag = \"0.1 ms\"");
  const Outcome outcome = run("estimate " + path("study.toml") + " " + path("log.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output, HasSubstr("estimator.lag = 0.0001 s: is less than a sample, 0.0005 s"));
  EXPECT_EQ(stream(path("study.toml"), "log.csv"), 2);
  EXPECT_THAT(read("err.txt"), HasSubstr("is less than a sample"));
}

// One sensor leaves for 1e6 rpm: the filter between it and the other is lost, and both commands say so.
TEST_F(Streaming, ALostFilterIsNotTrusted) {
  std::vector<std::string> lines = log_lines(200);
  for (std::size_t i = 100; i < lines.size(); ++i)
    lines[i] = lines[i].substr(0, lines[i].rfind(',')) + "," + std::to_string(i % 2 == 0 ? 1e6 : -1e6);
  write_lines("lost.csv", lines);
  const Outcome outcome = run("estimate " + study() + " " + path("lost.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.output, HasSubstr("filter.lag"));
  EXPECT_EQ(stream(study(), "lost.csv"), 4);
  EXPECT_THAT(read("err.txt"), HasSubstr("standard input: The innovations' normalised square is"));
  EXPECT_EQ(cells_of(read("out.csv")).size(),
            1U + 200U + 100U);  // rows are written as they come, and what the lag held
}

TEST_F(Streaming, HelpShowsAnExample) {
  const Outcome outcome = run("stream --help");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("Example: tauhat stream"));
}

}  // namespace
}  // namespace tauhat
