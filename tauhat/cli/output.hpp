// Files appear whole or not at all: written beside their place, then renamed.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "tauhat/offline/report/report.hpp"

namespace tauhat::cli {

// A file that is written in pieces and appears when it is finished; without finish() nothing does. "-" is standard
// output, and a device is written to as it is.
class WholeFile {
 public:
  explicit WholeFile(const std::string& path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  void append(std::string_view piece);
  void finish();

 private:
  std::string path_, beside_;  // where it is written until then; empty: in its place
  std::FILE* file_ = nullptr;
};

// "-" is standard output.
void write_whole(const std::string& path, std::string_view content);

// Where a command's report goes.
struct ReportPaths {
  std::string json, html;
};

// Before the work begins: throws Error (wrong_use) where a file could not be written in the end. An empty path is none.
void require_writable(const std::string& path);
void require_writable(const ReportPaths& paths);

// The table on standard output (unless JSON or data take it), JSON and HTML where asked for.
void publish(const Report& report, const ReportPaths& paths, bool table_on_standard_output = true);

}  // namespace tauhat::cli
