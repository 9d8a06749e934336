#include "tauhat/offline/log/csv.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/cell.hpp"
#include "tauhat/offline/log/columns.hpp"
#include "tauhat/offline/log/dialect.hpp"
#include "tauhat/offline/log/fields.hpp"
#include "tauhat/offline/log/rows.hpp"
#include "tauhat/offline/log/text.hpp"
#include "tauhat/offline/log/time_stamp.hpp"

namespace tauhat {
namespace {

CsvTable empty_table(const CsvLayout& layout, const std::string& source, const std::vector<std::size_t>& columns) {
  CsvTable table{{.source = source, .columns = {}, .first_data_line = layout.dialect.first_data_line},
                 layout.dialect,
                 layout.preamble};
  for (const std::size_t column : columns)
    table.columns.push_back({layout.headings[column].name, layout.headings[column].unit, {}});
  return table;
}

CsvTable parse_utf8(std::string_view text, const std::string& source, const std::vector<std::string>& wanted) {
  CsvLayout layout = recognise_layout(text, source);
  const std::string note =
      layout.dialect.has_header ? "" : fmt::format(" (no header found above line {})", layout.dialect.first_data_line);
  const std::vector<std::size_t> columns = find_columns(layout.headings, source, wanted, note);
  std::vector<std::size_t> read_once = columns;  // a column wanted twice is read once
  std::sort(read_once.begin(), read_once.end());
  read_once.erase(std::unique(read_once.begin(), read_once.end()), read_once.end());

  const std::string_view rows = text.substr(layout.data_offset);
  CsvTable table = empty_table(layout, source, read_once);
  if (RowReader(layout, read_once, table).read(rows) == RowReader::Outcome::decimal_comma_found) {
    layout.dialect.decimal_comma = layout.decimal_mark_known = true;
    table = empty_table(layout, source, read_once);
    RowReader(layout, read_once, table).read(rows);
  }
  if (columns == read_once) return table;
  CsvTable ordered = empty_table(layout, source, columns);
  ordered.line_jumps = std::move(table.line_jumps);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto read = std::lower_bound(read_once.begin(), read_once.end(), columns[i]) - read_once.begin();
    ordered.columns[i] = table.columns[static_cast<std::size_t>(read)];
  }
  return ordered;
}

}  // namespace

CsvTable parse_csv(std::string_view text, const std::string& source, const std::vector<std::string>& wanted) {
  if (is_utf16(text)) return parse_utf8(utf8_from_utf16(text), source, wanted);
  return parse_utf8(without_byte_order_mark(text), source, wanted);
}

CsvTable read_csv(const std::string& path, const std::vector<std::string>& wanted) {
  const FileText text = read_file_text(path);
  return parse_csv(text.view(), source_name(path), wanted);
}

namespace {

// A text table's text, whatever it was encoded in.
struct TableText {
  FileText file;
  std::string converted;
  std::string_view view() const {
    return converted.empty() ? without_byte_order_mark(file.view()) : std::string_view(converted);
  }
};

TableText read_table_text(const std::string& path) {
  TableText text{read_file_text(path), {}};
  if (is_utf16(text.file.view())) text.converted = utf8_from_utf16(text.file.view());
  return text;
}

// What stands in a column's first rows.
struct Cells {
  std::size_t filled = 0, words = 0;
  std::string first_word{};
  // One odd cell among numbers is a mistake in the file, which reading it names with its line.
  bool are_words() const { return 2 * words > filled; }
};

bool is_numeric(const std::string& cell, char separator) {
  return is_number(cell, '.') || (separator != ',' && is_number(cell, ',')) || parse_time_stamp(cell);
}

std::vector<Cells> look_at_cells(std::string_view text, const CsvLayout& layout) {
  constexpr std::size_t kLooked = 1 << 16;
  const char separator = layout.dialect.separator;
  std::vector<Cells> columns(layout.headings.size());
  std::string_view rows = text.substr(layout.data_offset);
  if (rows.size() > kLooked) rows = rows.substr(0, rows.rfind('\n', kLooked));
  while (!rows.empty()) {
    const std::size_t end = std::min(rows.find('\n'), rows.size());
    const std::string_view line = trimmed(rows.substr(0, end), separator);
    rows.remove_prefix(std::min(end + 1, rows.size()));
    if (line.empty() || comment_mark_length(line) > 0) continue;
    const std::vector<std::string_view> fields = split_fields(line, separator);
    for (std::size_t i = 0; i < std::min(fields.size(), columns.size()); ++i) {
      if (is_missing(fields[i])) continue;
      ++columns[i].filled;
      if (is_numeric(std::string(fields[i]), separator)) continue;
      if (columns[i].words++ == 0) columns[i].first_word = shown(fields[i]);
    }
  }
  return columns;
}

}  // namespace

std::vector<std::string> words_in_csv(const std::string& path) {
  const TableText text = read_table_text(path);
  const CsvLayout layout = recognise_layout(text.view(), source_name(path));
  const std::vector<Cells> cells = look_at_cells(text.view(), layout);
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].are_words())
      sentences.push_back(fmt::format(
          "\"{}\" holds words, such as \"{}\"",
          layout.headings[i].name.empty() ? fmt::format("#{}", i + 1) : layout.headings[i].name, cells[i].first_word));
  }
  return sentences;
}

std::vector<ColumnInfo> list_csv(const std::string& path) {
  const TableText whole = read_table_text(path);
  const std::string_view text = whole.view();
  const std::string source = source_name(path);
  const CsvLayout layout = recognise_layout(text, source);
  const std::vector<Cells> cells = look_at_cells(text, layout);
  std::vector<std::string> places;
  std::vector<ColumnInfo> list;
  for (std::size_t i = 0; i < layout.headings.size(); ++i) {
    const CsvHeading& heading = layout.headings[i];
    const std::string place = fmt::format("#{}", i + 1);
    if (cells[i].are_words()) continue;
    const auto same = std::count_if(layout.headings.begin(), layout.headings.end(),
                                    [&](const CsvHeading& other) { return other.name == heading.name; });
    const bool unique = same == 1 && !heading.name.empty();
    list.push_back({unique ? heading.name : place, heading.unit, 0, {}, unique ? "" : heading.name});
    places.push_back(place);
  }
  if (list.empty()) return list;
  const std::size_t rows = parse_utf8(text, source, places).rows();
  for (ColumnInfo& column : list) column.samples = rows;
  return list;
}

}  // namespace tauhat
