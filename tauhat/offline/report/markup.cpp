#include "tauhat/offline/report/markup.hpp"

#include <span>

namespace tauhat {
namespace {

struct Replacement {
  std::string_view from, to;
};

std::string replaced(std::string_view text, std::span<const Replacement> replacements) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    std::string_view from = text.substr(0, 1), to = from;
    for (const Replacement& replacement : replacements)
      if (text.starts_with(replacement.from)) {
        from = replacement.from;
        to = replacement.to;
      }
    result += to;
    text.remove_prefix(from.size());
  }
  return result;
}

constexpr Replacement kHtml[] = {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&#34;"}, {"'", "&#39;"}};

constexpr Replacement kScript[] = {
    {"&", "\\u0026"}, {"<", "\\u003c"}, {">", "\\u003e"}, {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"}};

constexpr Replacement kPrint[] = {{"^2", "²"}, {"^3", "³"},    {"^-1", "⁻¹"}, {"^-2", "⁻²"},
                                  {"-", "−"},  {"&lt;=", "≤"}, {"&gt;=", "≥"}};

}  // namespace

std::string escaped(std::string_view text) { return replaced(text, kHtml); }
std::string script_safe(std::string_view json) { return replaced(json, kScript); }
std::string typeset(std::string_view text) { return replaced(escaped(text), kPrint); }

}  // namespace tauhat
