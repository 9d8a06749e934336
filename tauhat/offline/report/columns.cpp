#include "tauhat/offline/report/columns.hpp"

#include <algorithm>

namespace tauhat {

std::size_t width_of(std::string_view utf8) {
  const auto begins_character = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u; };
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), begins_character));
}

std::string printable(std::string_view text) {
  std::string clean(text);
  for (char& byte : clean)
    if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F) byte = byte == '\n' ? ' ' : '?';
  return clean;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string lines;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (column > indent && column + 1 + width_of(word) > width) {
      lines += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += width_of(word);
  }
  return lines;
}

std::vector<std::size_t> Columns::widths() const {
  std::vector<std::size_t> widths(alignment_.size());
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i].text));
  return widths;
}

std::string Columns::text() const {
  constexpr std::string_view kReset = "\033[0m";
  const auto widths = this->widths();
  std::string lines;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths[i] == 0) continue;
      const std::string padding(widths[i] - width_of(row[i].text), ' ');
      line += "  ";
      if (alignment_[i] == Align::right) line += padding;
      const bool coloured = !row[i].colour.empty() && !row[i].text.empty();
      if (coloured) line += row[i].colour;
      line += row[i].text;
      if (coloured) line += kReset;
      if (alignment_[i] == Align::left) line += padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + '\n';
  }
  return lines;
}

}  // namespace tauhat
