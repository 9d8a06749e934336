#include "tauhat/offline/log/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "tauhat/offline/unreadable.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kFirstGuess = std::size_t{1} << 20;
constexpr std::size_t kLongestShown = 40;

struct FileClose {
  void operator()(std::FILE* file) const noexcept {
    if (file != stdin) std::fclose(file);
  }
};
using File = std::unique_ptr<std::FILE, FileClose>;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ExitCode::unusable_data, fmt::format("{}: {}", source_name(path), reason));
}

File open(const std::string& path) {
  if (path == "-") return File(stdin);
  require_readable(path, ExitCode::unusable_data);
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  return file;
}

void append_utf8(std::string& text, std::uint32_t code_point) {
  const auto byte = [&text](std::uint32_t value) { text += static_cast<char>(value); };
  if (code_point < 0x80) {
    byte(code_point);
  } else if (code_point < 0x800) {
    byte(0xC0 | code_point >> 6);
    byte(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    byte(0xE0 | code_point >> 12);
    byte(0x80 | (code_point >> 6 & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  } else {
    byte(0xF0 | code_point >> 18);
    byte(0x80 | (code_point >> 12 & 0x3F));
    byte(0x80 | (code_point >> 6 & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  }
}

// Length of the UTF-8 sequence at the front, 0 when there is none.
std::size_t utf8_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (const char c : text.substr(1, length - 1))
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) return 0;
  if (length < 3) return length;
  const auto second = static_cast<unsigned char>(text[1]);  // overlong forms, surrogates and beyond Unicode
  const bool forbidden = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                         (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return forbidden ? 0 : length;
}

}  // namespace

std::string source_name(const std::string& path) { return path == "-" ? "standard input" : path; }

bool is_pipe(const std::string& path) {
  std::error_code failed;
  return path == "-" || (std::filesystem::exists(path, failed) && !std::filesystem::is_regular_file(path, failed));
}

namespace {

FileText read_once(const std::string& path) {
  const File file = open(path);
  std::error_code no_size;
  const std::uintmax_t size = is_pipe(path) ? 0 : std::filesystem::file_size(path, no_size);
  std::size_t capacity = no_size || size == 0 ? kFirstGuess : static_cast<std::size_t>(size) + 1;
  FileText text{std::make_unique_for_overwrite<char[]>(capacity), 0};
  for (;;) {
    text.size += std::fread(text.bytes.get() + text.size, 1, capacity - text.size, file.get());
    if (std::ferror(file.get())) refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    if (text.size < capacity) return text;
    capacity *= 2;
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    std::memcpy(larger.get(), text.bytes.get(), text.size);
    text.bytes = std::move(larger);
  }
}

}  // namespace

FileText read_file_text(const std::string& path) {
  if (!is_pipe(path)) return read_once(path);
  static std::mutex mutex;
  static std::map<std::string, FileText> kept;
  const std::lock_guard lock(mutex);
  const auto known = kept.find(path);
  return known != kept.end() ? known->second : kept.emplace(path, read_once(path)).first->second;
}

bool is_utf16(std::string_view text) noexcept { return text.starts_with("\xFF\xFE"); }

std::string utf8_from_utf16(std::string_view text) {
  const auto unit_at = [text](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) |
           static_cast<std::uint32_t>(static_cast<unsigned char>(text[i + 1])) << 8;
  };
  const auto is_in = [](std::uint32_t unit, std::uint32_t first) { return unit >= first && unit < first + 0x400; };
  constexpr std::uint32_t kReplacement = 0xFFFD, kHighSurrogates = 0xD800, kLowSurrogates = 0xDC00;
  std::string utf8;
  utf8.reserve(text.size() / 2);
  for (std::size_t i = 2; i + 1 < text.size(); i += 2) {
    std::uint32_t code_point = unit_at(i);
    if (is_in(code_point, kHighSurrogates) && i + 3 < text.size() && is_in(unit_at(i + 2), kLowSurrogates)) {
      i += 2;
      code_point = 0x10000 + ((code_point - kHighSurrogates) << 10) + (unit_at(i) - kLowSurrogates);
    } else if (is_in(code_point, kHighSurrogates) || is_in(code_point, kLowSurrogates)) {
      code_point = kReplacement;
    }
    append_utf8(utf8, code_point);
  }
  return utf8;
}

std::string_view without_byte_order_mark(std::string_view text) noexcept {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

std::string utf8_from_unknown(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    if (length == 0) {
      std::string converted;
      for (const char c : text) append_utf8(converted, static_cast<unsigned char>(c));
      return converted;
    }
    rest.remove_prefix(length);
  }
  return std::string(text);
}

std::string shown(std::string_view text) {
  const bool cut = text.size() > kLongestShown;
  if (cut) {
    std::size_t end = kLongestShown;  // not in the middle of a UTF-8 sequence
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text = text.substr(0, end);
  }
  std::string visible;
  for (const char c : utf8_from_unknown(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      visible += fmt::format("\\x{:02x}", byte);
    else
      visible += c;
  }
  return cut ? visible + "..." : visible;
}

}  // namespace tauhat
