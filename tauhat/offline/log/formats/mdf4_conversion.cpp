#include "tauhat/offline/log/formats/mdf4_conversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/log/text.hpp"

namespace tauhat::mdf4 {
namespace {

using Kind = Conversion::Kind;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// The format's numbers of the conversions.
enum CcType : std::uint8_t {
  cc_identity,
  cc_linear,
  cc_rational,
  cc_algebraic,
  cc_interpolated,
  cc_nearest,
  cc_ranges,
  cc_value_to_text,
  cc_range_to_text,
  cc_text_to_value,
  cc_text_to_text,
  cc_bits_to_text
};

constexpr std::size_t kUnitLink = 1, kFirstReference = 4;

void need_values(const Conversion& conversion, bool enough, const Place& place) {
  if (!enough) place.refuse(fmt::format("a conversion with {} parameters is too short", conversion.values.size()));
}

void check_keys(const Conversion& conversion, const Place& place) {
  need_values(conversion, conversion.values.size() >= 2 && conversion.values.size() % 2 == 0, place);
  for (std::size_t i = 0; i < conversion.values.size(); i += 2)
    if (std::isnan(conversion.values[i]) || (i > 0 && !(conversion.values[i - 2] < conversion.values[i])))
      place.refuse(fmt::format("the keys of a conversion table do not ascend: number {} is {}", i / 2 + 1,
                               conversion.values[i]));
}

void sort_ranges(Conversion& conversion, const Place& place) {
  for (const Conversion::Range& range : conversion.ranges)
    if (std::isnan(range.from) || std::isnan(range.to)) place.refuse("a key of a conversion table is not a number");
  std::stable_sort(conversion.ranges.begin(), conversion.ranges.end(),
                   [](const auto& a, const auto& b) { return a.from < b.from; });
}

double look_up(const std::vector<double>& table, double x, bool interpolate) {
  const std::size_t rows = table.size() / 2;
  std::size_t above = 0;  // the first key above x, by bisection
  for (std::size_t last = rows; above < last;) {
    const std::size_t middle = (above + last) / 2;
    if (x < table[2 * middle])
      last = middle;
    else
      above = middle + 1;
  }
  if (above == 0) return table[1];
  if (above == rows) return table[2 * rows - 1];
  const double key = table[2 * above - 2], value = table[2 * above - 1];
  const double next_key = table[2 * above], next_value = table[2 * above + 1];
  if (!interpolate) return x - key > next_key - x ? next_value : value;
  return value + (next_value - value) * ((x - key) / (next_key - key));
}

// Ranges of integers include their end, ranges of floats do not: the last range that begins at or below x serves both.
double look_up(const Conversion& conversion, double x) {
  const auto above = std::upper_bound(conversion.ranges.begin(), conversion.ranges.end(), x,
                                      [](double value, const auto& range) { return value < range.from; });
  if (above == conversion.ranges.begin() || x > std::prev(above)->to) return conversion.elsewhere(x);
  return (*std::prev(above))(x);
}

}  // namespace

double Conversion::operator()(double raw) const {
  const std::vector<double>& v = values;
  const double x = raw;
  switch (kind) {
    case Kind::identity:
      return x;
    case Kind::linear:
      return v[0] + v[1] * x;
    case Kind::rational:
      return (v[0] * x * x + v[1] * x + v[2]) / (v[3] * x * x + v[4] * x + v[5]);
    case Kind::interpolated:
    case Kind::nearest:
      return std::isnan(x) ? x : look_up(v, x, kind == Kind::interpolated);
    case Kind::ranges:
      return std::isnan(x) ? x : look_up(*this, x);
    case Kind::unsupported:
      break;
  }
  return kMissing;
}

std::shared_ptr<const Conversion> Conversions::at(Link offset) {
  std::shared_ptr<const Conversion>& conversion = read_[offset];
  if (!conversion) conversion = std::make_shared<const Conversion>(offset == 0 ? Conversion{} : read(offset));
  return conversion;
}

Conversion Conversions::read(Link offset) {
  const Block block = read_block(file_, offset, "CC");
  std::vector<std::uint8_t> bytes;
  Fields fields = data_of(file_, block, bytes);
  const auto type = fields.next<std::uint8_t>();
  fields.take(3);  // precision, flags
  const auto references = fields.next<std::uint16_t>();
  const auto parameters = fields.next<std::uint16_t>();
  fields.take(16);  // the physical range
  const Place place{&file_, offset};
  parameters_ += parameters;
  if (parameters_ > file_.size() / sizeof(double)) place.refuse("the conversions up to here lie one in the other");
  Conversion conversion;
  conversion.unit = read_text_block(file_, block.link(kUnitLink));
  for (std::size_t i = 0; i < parameters; ++i) conversion.values.push_back(fields.next<double>());
  switch (type) {
    case cc_identity:
    case cc_bits_to_text:
      return conversion;
    case cc_linear:
      conversion.kind = Kind::linear;
      need_values(conversion, parameters >= 2, place);
      return conversion;
    case cc_rational:
      conversion.kind = Kind::rational;
      need_values(conversion, parameters >= 6, place);
      return conversion;
    case cc_interpolated:
    case cc_nearest:
      conversion.kind = type == cc_interpolated ? Kind::interpolated : Kind::nearest;
      check_keys(conversion, place);
      return conversion;
    case cc_ranges:
      read_ranges(conversion, place);
      return conversion;
    case cc_value_to_text:
    case cc_range_to_text:
      read_texts(conversion, block, references, type == cc_range_to_text);
      return conversion;
    case cc_algebraic:
      conversion.refusal = fmt::format("has an algebraic conversion, \"{}\", which tauhat does not evaluate",
                                       shown(read_text_block(file_, block.link(kFirstReference))));
      break;
    default:
      conversion.refusal = fmt::format("has a conversion of type {}, which gives no numbers", type);
  }
  conversion.kind = Kind::unsupported;
  return conversion;
}

void Conversions::read_ranges(Conversion& conversion, const Place& place) {
  const std::vector<double>& v = conversion.values;
  need_values(conversion, v.size() % 3 == 1, place);
  for (std::size_t i = 0; i + 3 <= v.size(); i += 3) conversion.ranges.push_back({v[i], v[i + 1], v[i + 2]});
  conversion.elsewhere.value = v.back();
  conversion.kind = Kind::ranges;
  sort_ranges(conversion, place);
}

// Numbers that stand for texts, and ranges between them that have a conversion of their own: 0 to 253 scaled, 255 "not
// available". Where there is no such range, it is an enumeration, and its numbers are kept.
void Conversions::read_texts(Conversion& conversion, const Block& block, std::size_t references, bool keys_are_ranges) {
  const std::size_t step = keys_are_ranges ? 2 : 1, count = conversion.values.size() / step;
  const Place place{&file_, block.offset};
  conversion.elsewhere.value = kMissing;
  bool scaled = false;
  for (std::size_t i = 0; i <= count && i < references; ++i) {
    const bool is_elsewhere = i == count;
    const double from = is_elsewhere ? 0.0 : conversion.values[i * step];
    const double to = is_elsewhere ? 0.0 : conversion.values[i * step + step - 1];
    Conversion::Range range{from, to, kMissing, scale_at(block.link(kFirstReference + i), conversion)};
    scaled = scaled || range.conversion;
    if (is_elsewhere)
      conversion.elsewhere = range;
    else
      conversion.ranges.push_back(range);
  }
  if (conversion.kind == Kind::unsupported) return;
  conversion.kind = scaled ? Kind::ranges : Kind::identity;
  sort_ranges(conversion, place);
}

// None for a text. Only numeric conversions may stand inside another one, so that this ends.
std::shared_ptr<const Conversion> Conversions::scale_at(Link offset, Conversion& user) {
  if (offset == 0) return nullptr;
  const Block block = read_block(file_, offset);
  if (block.id != "CC") return nullptr;
  const std::uint8_t type = file_.read(block.data_offset, 1).front();
  std::shared_ptr<const Conversion> scale = type <= cc_ranges ? at(offset) : nullptr;
  if (scale && scale->kind != Kind::unsupported) return scale;
  user.kind = Kind::unsupported;
  user.refusal = scale ? scale->refusal : "has a conversion within a conversion that gives texts";
  return nullptr;
}

}  // namespace tauhat::mdf4
