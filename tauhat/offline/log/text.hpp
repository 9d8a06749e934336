// A file's text: read whole, converted to UTF-8 where it is not, and quoted safely in messages.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tauhat {

struct FileText {
  std::shared_ptr<char[]> bytes;  // not a string: it would be filled with zeros first
  std::size_t size = 0;
  std::string_view view() const noexcept { return {bytes.get(), size}; }
};

// "-" is standard input. What comes through a pipe can be read only once: it is kept, and given again to who asks
// again. Throws Error (unusable_data).
FileText read_file_text(const std::string& path);

// Standard input, a FIFO, /dev/fd/63: whatever is not a file that can be read again.
bool is_pipe(const std::string& path);

// How messages call it.
std::string source_name(const std::string& path);

// UTF-16LE with a byte order mark, as instruments for Windows write it.
bool is_utf16(std::string_view text) noexcept;
std::string utf8_from_utf16(std::string_view text);

std::string_view without_byte_order_mark(std::string_view text) noexcept;

// Text that is not UTF-8 is taken for Latin-1: a lone 0xB0 is a degree sign.
std::string utf8_from_unknown(std::string_view text);

// For a message: control characters made visible, a long text cut.
std::string shown(std::string_view text);

}  // namespace tauhat
