// Any bytes as an HDF5 file, MATLAB 7.3 among them: they are read, or refused with a sentence. With libFuzzer:
//   clang++-16 -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -I. -isystem /usr/include/hdf5/serial \
//     tests/fuzz/hdf5_fuzz.cpp <the sources of tauhat/offline/log> -lfmt -lz -lhdf5_serial
//   ./a.out -max_len=65536 -fork=1 -ignore_crashes=1 corpus
// The HDF5 library itself falls over some damaged files: those stacks end in its frames, not in ours.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/hdf5.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int kFile = memfd_create("hdf5", 0);
  static const std::string kPath = "/proc/self/fd/" + std::to_string(kFile);
  if (ftruncate(kFile, 0) != 0 || pwrite(kFile, data, size, 0) != static_cast<ssize_t>(size)) return 0;
  try {
    tauhat::list_hdf5(kPath);
    tauhat::read_hdf5(kPath, {});
  } catch (const tauhat::Error&) {  // refused
  }
  return 0;
}
