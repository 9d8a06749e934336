// Any bytes for an MDF 4 file: a recording or an Error, nothing else.
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
