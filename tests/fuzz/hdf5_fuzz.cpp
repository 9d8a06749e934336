// Any bytes as an HDF5 file, MATLAB 7.3 among them: they are read, or refused with a sentence.
// The library itself crashes on some files, which is why a rehearsal comes before the reading (hdf5_rehearsal.hpp). It
// is left out here, for speed: findings whose stack ends in the library are known, those that end in ours are not.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/hdf5_file.hpp"

namespace {

// Not in memory alone: the library follows links, and those of /proc lead nowhere.
struct TemporaryFile {
  std::string path = "/tmp/hdf5_fuzz_XXXXXX";
  int descriptor = mkstemp(path.data());
  ~TemporaryFile() { unlink(path.c_str()); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemporaryFile kFile;
  if (ftruncate(kFile.descriptor, 0) != 0) return 0;
  if (pwrite(kFile.descriptor, data, size, 0) != static_cast<ssize_t>(size)) return 0;
  try {
    const tauhat::Hdf5File file(kFile.path);
    file.arrays().read({}, [&file](std::size_t array) { return file.values(array); });
  } catch (const tauhat::Error&) {  // refused
  }
  return 0;
}
