// Any bytes for an MCAP file: a recording or an Error, nothing else.
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
