// The data behind a data group: one block, or a list of them, plain or deflated. They are joined to one stream of
// bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

#include "tauhat/offline/log/formats/mdf4_block.hpp"

namespace tauhat::mdf4 {

struct DataPart {
  Link offset = 0;                      // the block, for messages
  std::uint64_t start = 0, stored = 0;  // its bytes in the file
  std::uint64_t bytes = 0;              // and what they unpack to
  bool deflated = false;
  std::uint32_t transposed_columns = 0;  // 0: not transposed
};

class DataReader {
 public:
  // Where the log is not finalised, it was cut off: what is there counts.
  DataReader(const BinaryFile& file, bool finalised) : file_(file), finalised_(finalised) {}

  // Throws Error (unusable_data), also where a block belongs to two lists or twice to one.
  std::vector<DataPart> parts(Link data);

  // Calls with the bytes, piece by piece; one block is unpacked at a time.
  void for_each_piece(const std::vector<DataPart>& parts, const std::function<void(Bytes)>& use) const;

 private:
  void add_block(Link offset, std::vector<DataPart>& parts);
  Link add_list(const Block& block, std::vector<DataPart>& parts);
  void add_plain(const Block& block, std::vector<DataPart>& parts);
  void add_deflated(const Block& block, std::vector<DataPart>& parts);
  void enter(Link offset);
  void add(const DataPart& part, std::vector<DataPart>& parts);

  const BinaryFile& file_;
  bool finalised_;
  std::unordered_set<Link> entered_;
  std::uint64_t bytes_ = 0;  // of all parts, unpacked
};

}  // namespace tauhat::mdf4
