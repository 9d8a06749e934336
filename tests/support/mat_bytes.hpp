// Writes MATLAB files of version 5 and 7 byte by byte: also what no library writes, and what is damaged.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace tauhat {

// Elements as "MAT-File Format" (MathWorks) describes them.
struct MatBytes {
  bool big_endian = false;

  template <class T>
  std::string number(T value) const {
    std::string bytes(sizeof(T), '\0');
    std::copy_n(reinterpret_cast<const char*>(&value), sizeof(T), bytes.begin());
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }
  std::string element(std::uint32_t type, std::string data) const {
    const std::string tag = number(type) + number(static_cast<std::uint32_t>(data.size()));
    data.resize((data.size() + 7) / 8 * 8);
    return tag + data;
  }
  std::string lengths(const std::vector<std::int32_t>& all) const {
    std::string data;
    for (const std::int32_t each : all) data += number(each);
    return element(5, data);
  }
  std::string flags(std::uint32_t kind) const { return element(6, number(kind) + number(std::uint32_t{0})); }
  std::string matrix(std::uint32_t kind, const std::vector<std::int32_t>& dimensions, const std::string& name,
                     const std::string& content) const {
    return element(14, flags(kind) + lengths(dimensions) + element(1, name) + content);
  }
  std::string reals(const std::string& name, const std::vector<double>& values) const {
    std::string data;
    for (const double value : values) data += number(value);
    return matrix(6, {static_cast<std::int32_t>(values.size()), 1}, name, element(9, data));
  }
  std::string structure(const std::string& name, std::string field, const std::string& value) const {
    field.resize(8);
    return matrix(2, {1, 1}, name, number(std::uint32_t{4 << 16 | 5}) + number(8) + element(1, field) + value);
  }
  std::string object(const std::string& name, const std::string& class_name) const {
    return element(14, flags(17) + element(1, name) + element(1, "MCOS") + element(1, class_name));
  }
  std::string file(const std::string& variables) const {
    std::string header = "MATLAB 5.0 MAT-file";
    header.resize(124, ' ');
    return header + number(std::uint16_t{0x100}) + (big_endian ? "MI" : "IM") + variables;
  }
  std::string packed(const std::string& variable) const {
    uLongf size = compressBound(variable.size());
    std::string data(size, '\0');
    compress(reinterpret_cast<Bytef*>(data.data()), &size, reinterpret_cast<const Bytef*>(variable.data()),
             variable.size());
    data.resize(size);
    return number(std::uint32_t{15}) + number(static_cast<std::uint32_t>(size)) + data;
  }
};

}  // namespace tauhat
