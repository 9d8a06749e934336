// Any bytes as a MATLAB file: they are read, or refused with a sentence.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/mat.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A version 7.3 file is hdf5_fuzz's matter: the library would be what is tested.
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.find("\x89HDF") != std::string::npos) return 0;
  static const int kFile = memfd_create("mat", 0);
  static const std::string kPath = "/proc/self/fd/" + std::to_string(kFile);
  if (ftruncate(kFile, 0) != 0 || pwrite(kFile, data, size, 0) != static_cast<ssize_t>(size)) return 0;
  try {
    tauhat::list_mat(kPath);
    tauhat::read_mat(kPath, {});
  } catch (const tauhat::Error&) {  // refused
  }
  return 0;
}
