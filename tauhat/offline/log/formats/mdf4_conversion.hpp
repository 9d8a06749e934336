// From a raw number to a physical one: what a CC block says.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tauhat/offline/log/formats/mdf4_block.hpp"

namespace tauhat::mdf4 {

struct Conversion {
  enum class Kind {
    identity,      // y = x; also where numbers stand for texts: the number is kept
    linear,        // y = v0 + v1 x
    rational,      // y = (v0 x^2 + v1 x + v2) / (v3 x^2 + v4 x + v5)
    interpolated,  // key, value, key, value, ...; the first and last values hold beyond the keys
    nearest,       // the same, without interpolation
    ranges,        // a value a range, or a conversion a range
    unsupported
  };
  struct Range {
    double from = 0.0, to = 0.0;
    double value = 0.0;  // where there is no conversion; NaN for a text
    std::shared_ptr<const Conversion> conversion{};
    double operator()(double raw) const { return conversion ? (*conversion)(raw) : value; }
  };

  Kind kind = Kind::identity;
  std::vector<double> values{};
  std::vector<Range> ranges{};  // ascending
  Range elsewhere{};
  std::string unit{};
  std::string refusal{};  // of what is not supported: "has an algebraic conversion"

  double operator()(double raw) const;
};

// Each CC block is read once, however many channels use it.
class Conversions {
 public:
  explicit Conversions(const BinaryFile& file) : file_(file) {}
  std::shared_ptr<const Conversion> at(Link offset);  // never null; no link is the identity

 private:
  Conversion read(Link offset);
  void read_ranges(Conversion& conversion, const Place& place);
  void read_texts(Conversion& conversion, const Block& block, std::size_t references, bool keys_are_ranges);
  std::shared_ptr<const Conversion> scale_at(Link offset, Conversion& user);

  const BinaryFile& file_;
  std::map<Link, std::shared_ptr<const Conversion>> read_;
  std::uint64_t parameters_ = 0;  // of all of them
};

}  // namespace tauhat::mdf4
