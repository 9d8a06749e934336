#include "tauhat/offline/study/rewrite.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

const toml::node* find(const toml::table& root, const std::vector<std::string>& path) {
  const toml::node* node = &root;
  for (const std::string& step : path) {
    if (!node) return nullptr;
    if (const auto* table = node->as_table()) {
      node = table->get(step);
    } else if (const auto* list = node->as_array()) {
      node = list->get(static_cast<std::size_t>(std::stoul(step)));
    } else {
      return nullptr;
    }
  }
  return node;
}

// toml++ counts lines and columns from one, columns in code points.
std::size_t offset_of(const std::string& text, const toml::source_position& place) {
  std::size_t at = 0;
  for (toml::source_index line = 1; line < place.line; ++line) at = text.find('\n', at) + 1;
  for (toml::source_index column = 1; column < place.column; ++column) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
  }
  return at;
}

}  // namespace

std::string with_numbers(const std::string& text, const std::string& source, const std::vector<NewNumber>& numbers) {
  const toml::table root = toml::parse(text, source);
  struct Edit {
    std::size_t begin, end;
    std::string by;
  };
  std::vector<Edit> edits;
  for (const NewNumber& number : numbers) {
    const toml::node* node = find(root, number.path);
    if (!node || !(node->is_number() || node->is_string()))
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}: has no number {} to write the tuned one to", source, fmt::join(number.path, ".")));
    const std::string value = fmt::format("{:.6g}", number.value);
    edits.push_back({offset_of(text, node->source().begin), offset_of(text, node->source().end),
                     node->is_string() ? fmt::format("\"{} {}\"", value, number.unit) : value});
  }
  // From the end, so that the places of those before stay true.
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin > b.begin; });
  std::string result = text;
  for (const Edit& edit : edits) result.replace(edit.begin, edit.end - edit.begin, edit.by);
  return result;
}

}  // namespace tauhat
