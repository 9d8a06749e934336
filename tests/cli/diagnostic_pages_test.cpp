// Every diagnostic that the sources can raise has a page in docs/guides/diagnostics, every page is of one that they
// can raise, and the index links them all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "support/paths.hpp"

namespace tauhat {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct Sources {
  std::string raising;  // the files that name a severity: few enough for regular expressions
  std::string all;

  Sources() {
    for (const auto& entry : fs::recursive_directory_iterator(source_dir() / "tauhat")) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      const std::string text = text_of(entry.path());
      all += text;
      if (text.find("Severity::") != std::string::npos) raising += text;
    }
  }
};

const Sources& sources() {
  static const Sources read;
  return read;
}

template <class Each>
void for_each_match(const std::string& text, const char* pattern, Each&& each) {
  const std::regex regex(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) each(*at);
}

// kName = "force.unobservable"
std::string value_of_constant(const std::string& name, const std::string& text) {
  const std::string definition = name + " = \"";
  const std::size_t at = text.find(definition);
  if (at == std::string::npos) return name;  // which no page is called
  const std::size_t begin = at + definition.size();
  return text.substr(begin, text.find('"', begin) - begin);
}

// As a string beside its severity, through a helper, by a constant, or put together from the name of a robot's joint,
// which "joint" stands for.
Names diagnostics_in(const std::string& text, const std::string& with_constants) {
  Names names;
  const auto add_all = [&](const char* pattern, const std::string& prefix) {
    for_each_match(text, pattern, [&](const std::smatch& match) { names.insert(prefix + match[1].str()); });
  };
  add_all(R"re("([a-z]+(?:\.[a-z_]+)+)"\s*,\s*(?:\w+(?: > \w+)?\s*\?\s*)?Severity::)re", "");
  add_all(R"re(\b(?:say|warn|clock_of_samples)\(\s*(?:[\w.]+\s*,\s*)?"([a-z]+(?:\.[a-z_]+)+)")re", "");
  add_all(R"re(\bsay\(\s*"([a-z_]+)"\s*,)re", "joint.");
  add_all(R"re(\bname \+ "\.([a-z]+)"\s*,\s*Severity::)re", "joint.");
  for_each_match(text, R"re((k[A-Z]\w*)(?:\s*:\s*(k[A-Z]\w*))?\s*,\s*(?:\w+(?: > \w+)?\s*\?\s*)?Severity::)re",
                 [&](const std::smatch& match) {
                   for (const std::size_t i : {1U, 2U})
                     if (match[i].matched) names.insert(value_of_constant(match[i].str(), with_constants));
                 });
  return names;
}

// What stands before a severity and is neither a name nor one of the helpers above: its diagnostics would have no page,
// and nobody would notice.
Names unknown_helpers_in(const std::string& text) {
  const Names known{"code", "name", "what)"}, severities{"info", "warning", "error"};
  Names unknown;
  for_each_match(text, R"re(([\w")]+)\s*,\s*(?:\w+(?: > \w+)?\s*\?\s*)?Severity::)re", [&](const std::smatch& match) {
    const std::string before = match[1].str();
    const bool is_constant = before.size() > 1 && before[0] == 'k' && before[1] >= 'A' && before[1] <= 'Z';
    if (!before.ends_with('"') && !is_constant && !known.contains(before) && !severities.contains(before))
      unknown.insert(before);
  });
  return unknown;
}

fs::path folder() { return source_dir() / "docs/guides/diagnostics"; }

Names pages() {
  Names names;
  for (const auto& entry : fs::directory_iterator(folder()))
    if (entry.path().extension() == ".md" && entry.path().stem() != "README" && entry.path().stem() != "rates")
      names.insert(entry.path().stem().string());
  return names;
}

Names without(const Names& all, const Names& some) {
  Names rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::inserter(rest, rest.end()));
  return rest;
}

TEST(DiagnosticPages, NamesAreFoundHoweverTheyAreWritten) {
  const std::string text =
      "found.push_back({\"a.one\", Severity::error, \"\"}); found.push_back({\"a.two\",\n   Severity::info, \"\"});\n"
      "return {\"a.three\", saved ? Severity::warning : Severity::error, what};\n"
      "return {\"a.trice\", turns > kFew ? Severity::warning : Severity::error, what};\n"
      "say(tally.late, \"a.four\", \"late\"); warn(report,\n  \"a.five_times\", \"\");\n"
      "inline constexpr const char* kSix = \"a.six\"; inline constexpr const char* kSeven = \"a.seven\";\n"
      "return {{still ? kSix : kSeven, still ? Severity::error : Severity::warning, \"\"}};\n"
      "say(\"clock\", \"late\"); say(\"ratio_unknown\", \"\"); found.push_back({name + \".sign\", Severity::warning, "
      "\"\"});\n"
      "result.name = \"no.diagnostic\";\n";
  EXPECT_THAT(diagnostics_in(text, text),
              ElementsAre("a.five_times", "a.four", "a.one", "a.seven", "a.six", "a.three", "a.trice", "a.two",
                          "joint.clock", "joint.ratio_unknown", "joint.sign"));
  EXPECT_THAT(unknown_helpers_in(text), IsEmpty());
  EXPECT_THAT(unknown_helpers_in("found.push_back({label_of(axis), Severity::error, \"\"});"), ElementsAre("axis)"));
  EXPECT_THAT(unknown_helpers_in("found.push_back({title, bad ? Severity::error : Severity::info, \"\"});"),
              ElementsAre("title"));
}

TEST(DiagnosticPages, NoHelperIsOverlooked) { EXPECT_THAT(unknown_helpers_in(sources().raising), IsEmpty()); }

TEST(DiagnosticPages, EveryDiagnosticHasOne) {
  const Names names = diagnostics_in(sources().raising, sources().all);
  EXPECT_GE(names.size(), 80U);  // else the expressions above have gone blind
  EXPECT_THAT(without(names, pages()), IsEmpty());
  for (const std::string& name : names) {
    const std::string page = text_of(folder() / (name + ".md"));
    EXPECT_THAT(page, StartsWith("# " + name + "\n"));
    for (const char* section : {"When it is raised", "What it means for the numbers", "What to do", "How often"})
      EXPECT_NE(page.find(std::string("\n## ") + section + "\n"), std::string::npos) << name << ": " << section;
  }
}

TEST(DiagnosticPages, EachIsOfADiagnostic) {
  EXPECT_THAT(without(pages(), diagnostics_in(sources().raising, sources().all)), IsEmpty());
}

TEST(DiagnosticPages, TheIndexLinksThemAll) {
  Names linked;
  for_each_match(text_of(folder() / "README.md"), R"re(\| \[`([a-z_.]+)`\]\(([a-z_.]+)\.md\) \|)re",
                 [&](const std::smatch& match) {
                   EXPECT_EQ(match[1].str(), match[2].str());
                   EXPECT_TRUE(linked.insert(match[2].str()).second) << match[2].str() << " is there twice";
                 });
  EXPECT_EQ(linked, pages());
}

}  // namespace
}  // namespace tauhat
