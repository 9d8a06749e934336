#include "tauhat/offline/log/row_stream.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/columns.hpp"
#include "tauhat/offline/log/fields.hpp"
#include "tauhat/offline/log/text.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kHeadLines = 16;  // preamble, names, units and the first rows

[[noreturn]] void refuse(const std::string& source, const std::string& reason) {
  throw Error(ExitCode::unusable_data, fmt::format("{}: {}", source, reason));
}

}  // namespace

bool LineReader::fill() {
  constexpr std::size_t kChunk = 64 * 1024;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kChunk);
  ssize_t count = 0;
  do count = ::read(descriptor_, buffer_.data() + before, kChunk);
  while (count < 0 && errno == EINTR);
  if (count < 0) refuse(source_, fmt::format("cannot be read: {}", std::strerror(errno)));
  buffer_.resize(before + static_cast<std::size_t>(count));
  return count > 0;
}

// After a line that was cut; the rest of it is no line of its own.
bool LineReader::skip_rest_of_line() {
  for (;;) {
    const std::size_t end = buffer_.find('\n', begin_);
    if (end != std::string::npos) {
      begin_ = end + 1;
      return true;
    }
    begin_ = buffer_.size();
    if (!fill()) return false;
  }
}

std::optional<std::string_view> LineReader::next() {
  if (cut_ && !skip_rest_of_line()) ended_ = true;
  cut_ = false;
  std::size_t searched = begin_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    const std::size_t length = (end == std::string::npos ? buffer_.size() : end) - begin_;
    if (length > kLongest) {
      cut_ = true;
      const std::string_view line(buffer_.data() + begin_, kLongest);
      buffer_[begin_ + kLongest] = '\n';  // ends the line in memory; the rest follows it
      begin_ += kLongest + 1;
      return line;
    }
    if (end != std::string::npos) {
      const std::string_view line(buffer_.data() + begin_, length);
      begin_ = end + 1;
      return line;
    }
    if (ended_) return std::nullopt;
    searched = length;
    if (fill()) continue;
    ended_ = true;
    if (length > 0) buffer_ += '\n';  // the last line may lack its end
    searched = 0;
  }
}

RowStream::RowStream(int descriptor, const std::string& source, std::vector<std::string> wanted)
    : lines_(descriptor, source), source_(source), wanted_(std::move(wanted)) {}

// False where the text holds no table with the wanted columns; the problem says why.
bool RowStream::try_layout(std::string_view head, std::string_view queued, std::size_t first_line) {
  try {
    CsvLayout layout = recognise_layout(head, source_);
    const std::vector<std::size_t> columns = find_columns(layout.headings, source_, wanted_);
    if (first_line > 0) {
      layout.dialect.first_data_line = first_line;
    } else {
      queued = head.substr(layout.data_offset);
    }
    std::vector<std::size_t> read_once = columns;
    std::sort(read_once.begin(), read_once.end());
    read_once.erase(std::unique(read_once.begin(), read_once.end()), read_once.end());
    table_ = CsvTable{{.source = source_, .columns = {}, .first_data_line = layout.dialect.first_data_line},
                      layout.dialect,
                      layout.preamble};
    for (const std::size_t column : read_once)
      table_.columns.push_back({layout.headings[column].name, layout.headings[column].unit, {}});
    for (const std::size_t column : columns)
      place_.push_back(
          static_cast<std::size_t>(std::find(read_once.begin(), read_once.end(), column) - read_once.begin()));
    reader_.emplace(layout, read_once, table_);
    queue_ = queued;
    return true;
  } catch (const Error& problem) {
    problem_ = problem.what();
    return false;
  }
}

// Each line may be the first row, which completes the picture. Where the rows before it were bad, the names and this
// row are enough.
void RowStream::recognise() {
  std::string head, names;
  std::size_t count = 0, names_line = 0;
  for (; count < kHeadLines; ++count) {
    const auto line = lines_.next();
    if (!line) break;
    if (lines_.was_cut()) refuse(source_, fmt::format("line {} has no end; this is not CSV", count + 1));
    if (head.empty() && is_utf16(*line)) refuse(source_, "is UTF-16; send UTF-8");
    const std::string text = std::string(count == 0 ? without_byte_order_mark(*line) : *line) + '\n';
    head += text;
    const std::string_view visible = trimmed(*line, ' ');
    if (visible.empty() || comment_mark_length(visible) > 0) continue;
    const bool is_first = names.empty();
    if (is_first) {
      names = text;
      names_line = count + 1;
    }
    if (try_layout(head, {}, 0)) return;
    if (!is_first && names_line == 1 && try_layout(names + text, std::string_view(head).substr(names.size()), 2))
      return;
  }
  if (trimmed(head, ' ').find_first_not_of('\n') == std::string_view::npos)
    refuse(source_, "is empty; a line of names and rows of numbers are needed");
  throw Error(ExitCode::unusable_data,
              problem_.empty() ? fmt::format("{}: holds comments only, no rows", source_) : problem_);
}

std::optional<std::string_view> RowStream::next_line() {
  if (queued_from_ >= queue_.size()) return lines_.next();
  const std::size_t end = queue_.find('\n', queued_from_);
  const std::string_view line(queue_.data() + queued_from_, end - queued_from_);
  queued_from_ = end + 1;
  return line;
}

RowStream::Next RowStream::next() {
  if (!reader_) recognise();
  while (const auto line = next_line()) {
    line_ = reader_->line();
    try {
      const bool is_row = reader_->read_one(*line);
      if (lines_.was_cut())
        throw Error(ExitCode::unusable_data, fmt::format("{}:{}: the line has no end", source_, line_));
      if (!is_row) continue;
      ++rows_;
      return Next::row;
    } catch (const Error& problem) {
      problem_ = problem.what();
      ++rows_;
      return Next::bad_row;
    }
  }
  return Next::end;
}

}  // namespace tauhat
