// Writes MATLAB files for tests by an independent library, matio.
#pragma once

#include <matio.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/named.hpp"

namespace tauhat {

template <class T>
inline constexpr std::pair<matio_classes, matio_types> kMatKind = {MAT_C_DOUBLE, MAT_T_DOUBLE};
template <>
inline constexpr std::pair<matio_classes, matio_types> kMatKind<float> = {MAT_C_SINGLE, MAT_T_SINGLE};
template <>
inline constexpr std::pair<matio_classes, matio_types> kMatKind<std::int8_t> = {MAT_C_INT8, MAT_T_INT8};
template <>
inline constexpr std::pair<matio_classes, matio_types> kMatKind<std::uint8_t> = {MAT_C_UINT8, MAT_T_UINT8};
template <>
inline constexpr std::pair<matio_classes, matio_types> kMatKind<std::int16_t> = {MAT_C_INT16, MAT_T_INT16};
template <>
inline constexpr std::pair<matio_classes, matio_types> kMatKind<std::uint16_t> = {MAT_C_UINT16, MAT_T_UINT16};
template <>
inline constexpr std::pair<matio_classes, matio_types> kMatKind<std::int32_t> = {MAT_C_INT32, MAT_T_INT32};
template <>
inline constexpr std::pair<matio_classes, matio_types> kMatKind<std::uint32_t> = {MAT_C_UINT32, MAT_T_UINT32};
template <>
inline constexpr std::pair<matio_classes, matio_types> kMatKind<std::int64_t> = {MAT_C_INT64, MAT_T_INT64};
template <>
inline constexpr std::pair<matio_classes, matio_types> kMatKind<std::uint64_t> = {MAT_C_UINT64, MAT_T_UINT64};

template <class T>
matvar_t* mat_array(const char* name, std::vector<T> numbers, std::vector<std::size_t> dimensions = {}) {
  if (dimensions.empty()) dimensions = {numbers.size(), 1};
  return Mat_VarCreate(name, kMatKind<T>.first, kMatKind<T>.second, static_cast<int>(dimensions.size()),
                       dimensions.data(), numbers.data(), 0);
}

// A struct of one element after the other: fields times elements.
inline matvar_t* mat_struct(const char* name, std::vector<const char*> fields, const std::vector<matvar_t*>& values) {
  std::array<std::size_t, 2> dimensions{1, values.size() / fields.size()};
  matvar_t* made = Mat_VarCreateStruct(name, 2, dimensions.data(), fields.data(), static_cast<unsigned>(fields.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    Mat_VarSetStructFieldByName(made, fields[i % fields.size()], i / fields.size(), values[i]);
  return made;
}

inline matvar_t* mat_text(const char* name, std::string text) {
  std::array<std::size_t, 2> dimensions{1, text.size()};
  return Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UTF8, 2, dimensions.data(), text.data(), 0);
}

inline matvar_t* mat_cells(const char* name, std::vector<matvar_t*> values) {
  std::array<std::size_t, 2> dimensions{1, values.size()};
  return Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, dimensions.data(), values.data(), 0);
}

struct MatVersion : Named {
  mat_ft format;
  matio_compression packed;
};
inline constexpr std::array<MatVersion, 3> kMatVersions{{{{"v5"}, MAT_FT_MAT5, MAT_COMPRESSION_NONE},
                                                         {{"v7"}, MAT_FT_MAT5, MAT_COMPRESSION_ZLIB},
                                                         {{"v73"}, MAT_FT_MAT73, MAT_COMPRESSION_ZLIB}}};

// Takes the variables; false where one could not be written.
inline bool write_mat(const std::string& path, const std::vector<matvar_t*>& variables, const MatVersion& version) {
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, version.format);
  bool written = file != nullptr;
  for (matvar_t* variable : variables) {
    written = written && Mat_VarWrite(file, variable, version.packed) == 0;
    Mat_VarFree(variable);
  }
  if (file != nullptr) Mat_Close(file);
  return written;
}

}  // namespace tauhat
