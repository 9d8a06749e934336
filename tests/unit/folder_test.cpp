// Recordings whose signals lie in several files of a folder.
#include "tauhat/offline/log/formats/folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/log.hpp"

namespace tauhat {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Folder : public testing::Test {
 protected:
  Folder() : path_(std::filesystem::temp_directory_path() / ("tauhat_folder_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() override { std::filesystem::remove_all(path_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ / name) << text; }
  std::string path() const { return path_.string(); }
  std::string refusal(const std::string& column) const {
    try {
      read_folder(path(), {column});
    } catch (const Error& error) {
      return error.what();
    }
    return "no problem";
  }

 private:
  std::filesystem::path path_;
};

TEST_F(Folder, HoldsColumnsOfSeveralFiles) {
  write("a.csv", "t,x\n0,1\n1,2\n2,3\n");
  write("b.dat", "0 5\n1 6\n");
  const Recording recording = read_folder(path(), {"b.dat:#2", "a.csv:x", "b.dat:#1"});
  ASSERT_EQ(recording.columns.size(), 3U);
  EXPECT_THAT(recording.columns[0].values, ElementsAre(5, 6));
  EXPECT_THAT(recording.columns[1].values, ElementsAre(1, 2, 3));
  EXPECT_THAT(recording.columns[2].values, ElementsAre(0, 1));
  EXPECT_EQ(recording.columns[1].name, "a.csv:x");
}

TEST_F(Folder, TakesValuesApartThatLieOneBelowTheOther) {
  write("q.txt", "1\n2\n3\n4\n5\n6\n");
  const Recording recording = read_folder(path(), {"q.txt:1/3", "q.txt:3/3"});
  EXPECT_THAT(recording.columns[0].values, ElementsAre(1, 4));
  EXPECT_THAT(recording.columns[1].values, ElementsAre(3, 6));
  EXPECT_THAT(refusal("q.txt:1/4"), HasSubstr("holds 6 numbers, which is not a multiple of 4"));
}

TEST_F(Folder, SaysWhichFileIsMissing) {
  write("torques.txt", "1\n2\n");
  EXPECT_THAT(refusal("torque.txt:#1"), HasSubstr("has no file \"torque.txt\"; did you mean \"torques.txt\"?"));
  EXPECT_THAT(refusal("#1"), HasSubstr("a column is called by its file, as in \"torques.txt:#1\""));
  EXPECT_THAT(refusal("torques.txt:#3"), HasSubstr("torques.txt"));
}

TEST_F(Folder, IsReadAsALogWhoseSignalsHaveTheirOwnClocks) {
  std::string ticks, times;
  for (int i = 0; i < 20; ++i) {
    ticks += std::to_string(100 + i) + " " + std::to_string(i) + "\n";
    times += std::to_string(100 + 2 * i) + " " + std::to_string(-i) + "\n";
  }
  write("a.dat", ticks);
  write("b.dat", times);
  write("notes.pdf", "not a log");
  LogSpec spec;
  spec.time = {"a.dat:#1", 1e-3, 0.0};
  spec.channels = {{"x", "a.dat:#2"}, {"y", "b.dat:#2"}};
  spec.channels[1].time_column = "b.dat:#1";
  const Log log = read_log(path(), spec);
  EXPECT_NEAR((*log.find("x")->time)[19], 0.119, 1e-12);
  EXPECT_NEAR((*log.find("y")->time)[19], 0.138, 1e-12);
  EXPECT_EQ(list_folder(path()).size(), 4U);
}

}  // namespace
}  // namespace tauhat
