// Any bytes for an MDF 4 file: a recording or an Error, nothing else. Seeds: make_seeds.cpp.
//   clang++-16 -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined ... -o mdf4_fuzz && ./mdf4_fuzz seeds/
#include <cstddef>
#include <cstdint>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/mdf4.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tauhat::BinaryFile file("fuzz.mf4", {data, size});
  try {
    tauhat::list_mdf4(file);
    tauhat::read_mdf4(file, {});
  } catch (const tauhat::Error&) {
  }
  return 0;
}
