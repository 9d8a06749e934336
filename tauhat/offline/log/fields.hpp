// The fields of one line. A quoted field ends on its line; a quote that is never closed is plain text. The
// separator ' ' stands for any run of spaces and tabs.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

struct Field {
  std::string_view text;  // trimmed, without its quotes
  const char* next;       // where the next field begins; null after the last
};

inline bool is_blank(char c, char separator) noexcept {
  return c == ' ' || c == '\r' || (c == '\t' && separator != '\t');
}

inline std::string_view trimmed(std::string_view text, char separator) noexcept {
  while (!text.empty() && is_blank(text.front(), separator)) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back(), separator)) text.remove_suffix(1);
  return text;
}

// The closing quote of the field that opens at `first`, or null.
inline const char* closing_quote(const char* first, const char* line_end) noexcept {
  for (const char* p = first + 1; p < line_end; ++p) {
    if (*p != '"') continue;
    if (p + 1 == line_end || p[1] != '"') return p;
    ++p;  // a doubled quote stands for one
  }
  return nullptr;
}

inline const char* end_of_field(const char* first, const char* line_end, char separator) noexcept {
  if (separator == ' ') {
    while (first < line_end && !is_blank(*first, separator)) ++first;
    return first;
  }
  const void* found =
      first < line_end ? std::memchr(first, separator, static_cast<std::size_t>(line_end - first)) : nullptr;
  return found ? static_cast<const char*>(found) : line_end;
}

// Where the next field begins after one that ended at `end`; null at the line's end.
inline const char* begin_after(const char* end, const char* line_end, char separator) noexcept {
  if (end == line_end) return nullptr;
  if (separator != ' ') return end + 1;
  while (end < line_end && is_blank(*end, separator)) ++end;
  return end == line_end ? nullptr : end;
}

inline Field next_field(const char* first, const char* line_end, char separator) noexcept {
  while (first < line_end && is_blank(*first, separator)) ++first;
  if (first < line_end && *first == '"') {
    if (const char* closing = closing_quote(first, line_end)) {
      const char* end = closing + 1;
      while (end < line_end && separator != ' ' && is_blank(*end, separator)) ++end;
      if (end == line_end || end == end_of_field(end, line_end, separator))
        return {{first + 1, static_cast<std::size_t>(closing - first - 1)}, begin_after(end, line_end, separator)};
    }
  }
  const char* end = end_of_field(first, line_end, separator);
  return {trimmed({first, static_cast<std::size_t>(end - first)}, separator), begin_after(end, line_end, separator)};
}

// Of a line that is trimmed.
inline std::vector<std::string_view> split_fields(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  const char* line_end = line.data() + line.size();
  for (const char* p = line.data(); p != nullptr;) {
    const Field field = next_field(p, line_end, separator);
    fields.push_back(field.text);
    p = field.next;
  }
  return fields;
}

// Length of the mark that makes a line a comment, 0 when it is none.
inline std::size_t comment_mark_length(std::string_view line) noexcept {
  if (line.starts_with('#') || line.starts_with('%')) return 1;
  return line.starts_with("//") ? 2 : 0;
}

}  // namespace tauhat
