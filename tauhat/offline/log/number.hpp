// Decimal text to double, correctly rounded, straight from the file's bytes.
//   Clinger 1990: mantissa < 2^53 and |exponent| <= 22 make both operands of one multiplication or division
//   exact, so that its result is correctly rounded. All other numbers go to std::from_chars.
#pragma once

#include <cstdint>

namespace tauhat {

struct ParsedNumber {
  double value;
  const char* end;  // one past the number; null when there is none
};

namespace number_detail {

inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr int kLargestExactPower = 22;
inline constexpr std::uint64_t kLargestExactMantissa = std::uint64_t{1} << 53;
inline constexpr std::int64_t kDigitsOfMantissa = 19;  // more may overflow 64 bits

inline bool is_digit(char c) noexcept { return static_cast<unsigned char>(c - '0') < 10; }

struct Scan {
  const char* end = nullptr;
  std::uint64_t mantissa = 0;
  std::int64_t digits = 0;    // how many the mantissa was made of, leading zeros included
  std::int64_t exponent = 0;  // value = mantissa * 10^exponent
};

inline void scan_digits(Scan& scan) noexcept {
  const char* first = scan.end;
  while (is_digit(*scan.end)) scan.mantissa = 10 * scan.mantissa + static_cast<std::uint64_t>(*scan.end++ - '0');
  scan.digits += scan.end - first;
}

inline void scan_exponent(Scan& scan) noexcept {
  constexpr std::int64_t kFarOutOfRange = 100000;
  const char* p = scan.end + 1;
  const bool negative = *p == '-';
  if (negative || *p == '+') ++p;
  if (!is_digit(*p)) return;  // "3 eggs": the number ended before the letter
  std::int64_t exponent = 0;
  for (; is_digit(*p); ++p)
    if (exponent < kFarOutOfRange) exponent = 10 * exponent + (*p - '0');
  scan.exponent += negative ? -exponent : exponent;
  scan.end = p;
}

// [sign] digits [mark digits] [e [sign] digits]; the mark may stand at either end of the digits.
inline Scan scan_number(const char* first, char decimal_mark) noexcept {
  Scan scan;
  scan.end = first;
  scan_digits(scan);
  if (*scan.end == decimal_mark) {
    const std::int64_t whole_digits = scan.digits;
    ++scan.end;
    scan_digits(scan);
    scan.exponent = whole_digits - scan.digits;
  }
  if (scan.digits == 0) return {};
  if ((*scan.end | 0x20) == 'e') scan_exponent(scan);
  return scan;
}

// Any number of digits; a number too large for a double is none.
ParsedNumber parse_slowly(const char* first, const Scan& scan, char decimal_mark) noexcept;

}  // namespace number_detail

// The text must be followed by a byte that cannot belong to a number, such as the line's end.
inline ParsedNumber parse_number(const char* first, char decimal_mark) noexcept {
  using namespace number_detail;
  const bool negative = *first == '-';
  const char* unsigned_first = first + (negative || *first == '+' ? 1 : 0);
  const Scan scan = scan_number(unsigned_first, decimal_mark);
  if (scan.end == nullptr) return {0.0, nullptr};
  ParsedNumber number{0.0, scan.end};
  if (scan.digits <= kDigitsOfMantissa && scan.mantissa <= kLargestExactMantissa &&
      scan.exponent >= -kLargestExactPower && scan.exponent <= kLargestExactPower) [[likely]] {
    const auto mantissa = static_cast<double>(static_cast<std::int64_t>(scan.mantissa));
    number.value = scan.exponent < 0 ? mantissa / kPowersOfTen[-scan.exponent] : mantissa * kPowersOfTen[scan.exponent];
  } else {
    number = parse_slowly(unsigned_first, scan, decimal_mark);
  }
  if (negative) number.value = -number.value;
  return number;
}

}  // namespace tauhat
