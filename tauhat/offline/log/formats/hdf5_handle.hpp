// What the HDF5 library hands out, closed when it is no longer needed; and attributes that are text.
#pragma once

#define H5_USE_110_API  // the addresses of objects, also with a newer library
#include <hdf5.h>

#include <string>
#include <utility>

namespace tauhat {

class Hdf5Handle {
 public:
  explicit Hdf5Handle(hid_t id) noexcept : id_(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }

  hid_t get() const noexcept { return id_; }
  explicit operator bool() const noexcept { return id_ >= 0; }

 private:
  hid_t id_;
};

// The library prints every failure unless told not to; here each becomes an Error or a reason.
inline void silence_hdf5() noexcept { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

bool has_attribute(hid_t object, const char* name) noexcept;

// Empty when there is none, or when it is no single text.
std::string text_attribute(hid_t object, const char* name);

}  // namespace tauhat
