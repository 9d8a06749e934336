#include "tauhat/offline/log/csv.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/columns.hpp"
#include "tauhat/offline/log/dialect.hpp"
#include "tauhat/offline/log/rows.hpp"
#include "tauhat/offline/log/text.hpp"

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

// Does the column hold words? Told from its first rows: one odd cell further down is a mistake in the file.
bool holds_words(std::string_view text, const std::string& source, const std::string& place) {
  constexpr std::size_t kLooked = 1 << 16;
  const std::size_t end = text.size() <= kLooked ? text.size() : text.rfind('\n', kLooked);
  try {
    parse_utf8(text.substr(0, end), source, {place});
    return false;
  } catch (const Error&) {
    return true;
  }
}

}  // namespace

std::vector<ColumnInfo> list_csv(const std::string& path) {
  const FileText file = read_file_text(path);
  const std::string converted = is_utf16(file.view()) ? utf8_from_utf16(file.view()) : std::string();
  const std::string_view text = converted.empty() ? without_byte_order_mark(file.view()) : std::string_view(converted);
  const std::string source = source_name(path);
  const CsvLayout layout = recognise_layout(text, source);
  std::vector<std::string> places;
  std::vector<ColumnInfo> list;
  for (std::size_t i = 0; i < layout.headings.size(); ++i) {
    const CsvHeading& heading = layout.headings[i];
    const std::string place = fmt::format("#{}", i + 1);
    if (holds_words(text, source, place)) continue;
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
