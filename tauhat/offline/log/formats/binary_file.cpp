#include "tauhat/offline/log/formats/binary_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "tauhat/offline/log/text.hpp"
#include "tauhat/offline/unreadable.hpp"

namespace tauhat {
namespace {

[[noreturn]] void refuse_file(const std::string& source, const std::string& reason) {
  throw Error(ExitCode::unusable_data, fmt::format("{}: {}", source, reason));
}

}  // namespace

BinaryFile::BinaryFile(const std::string& path) : source_(source_name(path)) {
  require_readable(path, ExitCode::unusable_data);
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) refuse_file(source_, fmt::format("cannot be read: {}", std::strerror(errno)));
  struct stat status {};
  const bool is_file = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  if (!is_file) {
    ::close(descriptor_);  // no destructor runs after a constructor that throws
    refuse_file(source_, "is not a file on a disk; this format is read by place");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

BinaryFile::BinaryFile(std::string source, Bytes bytes)
    : source_(std::move(source)), size_(bytes.size()), memory_(bytes) {}

BinaryFile::~BinaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void BinaryFile::read(std::uint64_t offset, std::span<std::uint8_t> into) const {
  const Place place{this, offset};
  if (!holds(offset, into.size()))
    place.refuse(fmt::format("{} bytes are expected here, but the file ends at byte {}", into.size(), size_));
  if (descriptor_ < 0) {
    std::copy_n(memory_.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
    return;
  }
  while (!into.empty()) {
    const ssize_t count = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) place.refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
    if (count == 0) place.refuse("the file became shorter while it was read");
    into = into.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

std::vector<std::uint8_t> BinaryFile::read(std::uint64_t offset, std::uint64_t length) const {
  // The length is checked before the memory is taken.
  std::vector<std::uint8_t> bytes(holds(offset, length) ? length : 0);
  if (bytes.size() == length)
    read(offset, std::span(bytes));
  else
    Place{this, offset}.refuse(fmt::format("{} bytes are expected here, but the file ends at byte {}", length, size_));
  return bytes;
}

void check_values(const std::string& source, std::uint64_t file_bytes, std::uint64_t values) {
  if (values <= most_values(file_bytes)) return;
  refuse_file(source, fmt::format("its {} bytes claim to hold {} numbers, which no log does; it is damaged, or too "
                                  "many columns are wanted at once",
                                  file_bytes, values));
}

void Place::refuse(std::string_view finding) const {
  const std::string inside = block ? fmt::format(" of the block at byte {}", *block) : "";
  throw Error(ExitCode::unusable_data, fmt::format("{}, byte {}{}: {}", file->source(), offset, inside, finding));
}

Bytes Window::at(std::uint64_t offset, std::uint64_t length) {
  constexpr std::uint64_t kPiece = 1 << 20;
  const bool inside =
      offset >= start_ && offset - start_ <= bytes_.size() && length <= bytes_.size() - (offset - start_);
  if (!inside) {
    const std::uint64_t rest = offset < file_.size() ? file_.size() - offset : 0;
    bytes_ = file_.read(offset, std::max(length, std::min(kPiece, rest)));
    start_ = offset;
  }
  return Bytes(bytes_).subspan(offset - start_, length);
}

Bytes Fields::take(std::uint64_t bytes) {
  if (bytes > rest_.size())
    place_.refuse(fmt::format("a field of {} bytes is expected here, but its record ends after {}", bytes, left()));
  const Bytes taken = rest_.first(bytes);
  rest_ = rest_.subspan(bytes);
  place_.offset += bytes;
  return taken;
}

std::string_view Fields::text(std::uint64_t bytes) {
  const Bytes taken = take(bytes);
  return {reinterpret_cast<const char*>(taken.data()), taken.size()};
}

}  // namespace tauhat
