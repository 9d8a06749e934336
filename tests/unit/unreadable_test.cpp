// A file that is not there gets the same sentence, whoever looks for it.
#include "tauhat/offline/unreadable.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tauhat/offline/hash.hpp"
#include "tauhat/offline/log/csv.hpp"
#include "tauhat/offline/log/formats/formats.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {
namespace {

struct Refusal {
  ExitCode code;
  std::string sentence;
};

Refusal refusal_by(const std::function<void()>& reading) {
  try {
    reading();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {ExitCode::done, "read"};
}

TEST(Unreadable, IsSaidInOneSentenceByAllReaders) {
  for (const char* extension : {".csv", ".mat", ".h5", ".mf4", ".mcap"}) {
    const std::string path = std::string("nowhere") + extension;
    const Refusal listed = refusal_by([&] { format_of(path).list(path); });
    EXPECT_EQ(listed.sentence, path + ": no such file");
    EXPECT_EQ(listed.code, ExitCode::unusable_data);
    EXPECT_EQ(refusal_by([&] { sha256_of_log(path); }).sentence, path + ": no such file");
  }
  const Refusal study = refusal_by([] { read_study("nowhere.toml"); });
  EXPECT_EQ(study.sentence, "nowhere.toml: no such file");
  EXPECT_EQ(study.code, ExitCode::wrong_use);
}

TEST(Unreadable, AFolderIsNoFile) {
  const std::string folder = testing::TempDir();
  EXPECT_EQ(refusal_by([&] { read_study(folder); }).sentence, folder + ": is a directory, not a file");
  EXPECT_EQ(refusal_by([&] { read_csv(folder, {}); }).sentence, folder + ": is a directory, not a file");
  EXPECT_EQ(refusal_by([&] { sha256_of_log(folder); }).sentence, folder + ": is a directory, not a file");
}

}  // namespace
}  // namespace tauhat
