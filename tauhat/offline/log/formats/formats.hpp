// The log formats, each a reader of its own in this folder. Adding one is one file here and one line in formats.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tauhat/offline/log/recording.hpp"

namespace tauhat {

struct Format {
  std::string_view name;
  std::vector<std::string_view> extensions;  // lower case, with the dot
  // The wanted columns ("#3" counts from one) in the order of the list, then those that stamp them; all of the file's
  // when the list is empty. Throws Error (unusable_data) that names the file and what is wrong in it.
  Recording (*read)(const std::string& path, const std::vector<std::string>& wanted);
  // All columns that hold numbers, without reading them where the format allows it.
  std::vector<ColumnInfo> (*list)(const std::string& path);
  // What `list` leaves out though its owner may look for it: a sentence for each, with what to do. Null: nothing.
  std::vector<std::string> (*objects)(const std::string& path) = nullptr;
};

// By the file's extension; a pipe ("-") or a file without one is a text table, a folder holds several files. Throws
// Error (unusable_data).
const Format& format_of(const std::string& path);
// Whether a file's extension is that of a log.
bool is_log_format(const std::string& path);

// What a reader needs of its own list: the positions of the wanted columns (all, when none is named), followed by those
// of the columns that stamp them, where they are not among them. Throws Error (unusable_data) where a name is unknown
// or not unique.
std::vector<std::size_t> wanted_and_their_clocks(const std::vector<ColumnInfo>& columns,
                                                 const std::vector<std::string>& wanted, const std::string& source);

}  // namespace tauhat
