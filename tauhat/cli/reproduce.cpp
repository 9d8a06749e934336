// tauhat reproduce: each paper's tables, published beside obtained.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/reproduce/limits_page.hpp"
#include "tauhat/offline/reproduce/rates_added.hpp"
#include "tauhat/offline/reproduce/reproduce.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat::cli {
namespace {

struct Arguments {
  std::vector<std::string> papers;
  int seeds = 0;
  std::uint64_t first_seed = 1;
  bool quick = false;
  bool recorded = false;
  bool add = false;
  std::string only, records;
  std::string page;  // where it goes instead of into the docs
  ReportPaths paths;
};

std::vector<Paper> chosen_papers(const std::vector<std::string>& names) {
  std::vector<Paper> chosen;
  if (names.empty())
    std::copy_if(papers().begin(), papers().end(), std::back_inserter(chosen),
                 [](const Paper& p) { return !p.only_by_name; });
  for (const auto& name : names) {
    const auto found = std::find_if(papers().begin(), papers().end(), [&](const Paper& p) { return p.name == name; });
    if (found == papers().end()) {
      std::string known;
      for (const Paper& paper : papers()) known += (known.empty() ? "" : ", ") + paper.name;
      throw Error(ExitCode::wrong_use, fmt::format("unknown paper \"{}\"; there is {}", name, known));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

// A page of some of the records would pass for all of them.
std::string page_of(const Paper& paper, const Arguments& arguments) {
  if (paper.page.empty() || arguments.quick || (!arguments.only.empty() && !arguments.add)) return "";
  return arguments.page.empty() ? paper.page : arguments.page;
}

// Empty where there is no such file yet.
std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string added_to_page(const Paper& paper, const std::string& before, const std::string& now) {
  return paper.name == "limits" ? limits::added_to_page(before, now) : rates::added_to_page(before, now);
}

ReproduceOptions options_of(const Arguments& arguments, Progress& progress) {
  ReproduceOptions options;
  if (arguments.seeds > 0) options.seeds = arguments.seeds;
  if (arguments.recorded) options.seeds = 0;  // none that is not kept
  options.first_seed = arguments.first_seed;
  options.progress = [&](const std::string& stage, double share) { progress.show(stage, share); };
  options.quick = arguments.quick;
  options.only = arguments.only;
  options.records = arguments.records;
  return options;
}

ExitCode run(const Arguments& arguments) {
  require_writable(arguments.paths);
  const std::vector<Paper> chosen = chosen_papers(arguments.papers);
  if (arguments.recorded && (arguments.papers != std::vector<std::string>{"limits"} || arguments.records.empty()))
    throw Error(ExitCode::wrong_use, "--recorded is for limits, and needs --records");
  if (arguments.add && std::any_of(chosen.begin(), chosen.end(), [](const Paper& paper) { return paper.page.empty(); }))
    throw Error(ExitCode::wrong_use, "--add is for limits and diagnostics, which write a page");
  for (const Paper& paper : chosen) require_writable(page_of(paper, arguments));
  Progress progress;
  ReproduceOptions options = options_of(arguments, progress);
  Report all;
  all.command = "reproduce";
  for (const Paper& paper : chosen) {
    const std::string page = page_of(paper, arguments);
    options.write_page = {};
    if (!page.empty())
      options.write_page = [&](const std::string& text) {
        write_whole(page, arguments.add ? added_to_page(paper, text_of(page), text) : text);
      };
    Report report = paper.run(options);
    all.title += (all.title.empty() ? "" : "; ") + report.title;
    all.results.insert(all.results.end(), report.results.begin(), report.results.end());
    all.diagnostics.insert(all.diagnostics.end(), report.diagnostics.begin(), report.diagnostics.end());
    all.sections.insert(all.sections.end(), report.sections.begin(), report.sections.end());
  }
  const auto missed =
      std::count_if(all.results.begin(), all.results.end(), [](const Result& r) { return !r.reproduction->passed; });
  const auto limited = std::count_if(all.results.begin(), all.results.end(),
                                     [](const Result& r) { return r.reproduction->limit.has_value(); });
  all.headline = missed == 0 ? fmt::format("All {} figures are within their limits.", limited)
                             : fmt::format("{} of {} figures miss their limit.", missed, limited);
  publish(all, arguments.paths);
  return exit_code_of(all);
}

}  // namespace

void add_reproduce(CommandLine& line) {
  auto arguments = std::make_shared<Arguments>();
  auto command = line.add_command("reproduce", "each paper's tables: published beside obtained",
                                  "Example: tauhat reproduce hovland --seeds 5");
  command
      .add_option("PAPER", arguments->papers,
                  "hovland, shimizu, lagerberg, zampolini or pyrhonen; without it all; or limits, or diagnostics")
      .name();
  command.add_option("--seeds", arguments->seeds, "seeds per experiment; without it as many as the set-up says")
      .whole_from_one();
  command.add_option("--first-seed", arguments->first_seed, "the first seed; the others follow");
  command.add_flag("--quick", arguments->quick, "limits, diagnostics: few records, and no page");
  command
      .add_option("--only", arguments->only,
                  "limits, diagnostics: those with this in their name, as \"torque gain\" or \"log.gap\", and no page")
      .name();
  command.add_option(
      "--records", arguments->records,
      "limits, diagnostics: file in which each record's outcome is kept, so that a run goes on where it stopped");
  command.add_flag("--recorded", arguments->recorded,
                   "limits: of the records that the file of --records holds alone, however many");
  command.add_flag("--add", arguments->add,
                   "limits, diagnostics: add to the page; rows of more records stay as they are");
  command.add_option("--page", arguments->page,
                     "where the page goes; by default limits to docs/limits.md, diagnostics to "
                     "docs/guides/diagnostics/rates.md");
  command.add_report(arguments->paths);
  command.runs(run, arguments);
}

}  // namespace tauhat::cli
