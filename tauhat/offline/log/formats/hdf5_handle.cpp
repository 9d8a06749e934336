#include "tauhat/offline/log/formats/hdf5_handle.hpp"

#include <cstring>

#include "tauhat/offline/log/text.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kLongestText = 1024;

std::string variable_text(hid_t attribute, hid_t type) {
  char* text = nullptr;
  if (H5Aread(attribute, type, static_cast<void*>(&text)) < 0 || text == nullptr) return "";
  std::string copy(text, strnlen(text, kLongestText));
  H5free_memory(text);
  return copy;
}

std::string fixed_text(hid_t attribute, hid_t type) {
  const std::size_t size = H5Tget_size(type);
  if (size == 0 || size > kLongestText) return "";
  std::string text(size, '\0');
  if (H5Aread(attribute, type, text.data()) < 0) return "";
  text.resize(strnlen(text.data(), size));
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

bool has_attribute(hid_t object, const char* name) noexcept { return H5Aexists(object, name) > 0; }

std::string text_attribute(hid_t object, const char* name) {
  if (!has_attribute(object, name)) return "";
  const Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT));
  if (!attribute) return "";
  const Hdf5Handle type(H5Aget_type(attribute.get())), space(H5Aget_space(attribute.get()));
  if (!type || !space || H5Tget_class(type.get()) != H5T_STRING) return "";
  if (H5Sget_simple_extent_npoints(space.get()) != 1) return "";
  const bool is_variable = H5Tis_variable_str(type.get()) > 0;
  return utf8_from_unknown(is_variable ? variable_text(attribute.get(), type.get())
                                       : fixed_text(attribute.get(), type.get()));
}

}  // namespace tauhat
