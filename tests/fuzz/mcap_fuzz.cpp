// Any bytes for an MCAP file: a recording or an Error, nothing else. Seeds: make_seeds.cpp.
//   clang++-16 -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined ... -o mcap_fuzz && ./mcap_fuzz seeds/
#include <cstddef>
#include <cstdint>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/mcap.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tauhat::BinaryFile file("fuzz.mcap", {data, size});
  try {
    tauhat::list_mcap(file);
    tauhat::read_mcap(file, {});
  } catch (const tauhat::Error&) {
  }
  return 0;
}
