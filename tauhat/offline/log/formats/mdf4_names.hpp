// The columns of an MDF 4 file and their names, which the format does not keep unique.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tauhat/offline/log/formats/mdf4_catalogue.hpp"

namespace tauhat::mdf4 {

struct NamedChannel {
  std::string name;                        // unique in the file
  std::size_t data_group, group, channel;  // its place in the catalogue
};

// All channels of the file, those that are no columns as well.
std::vector<NamedChannel> name_channels(const Catalogue& catalogue);

}  // namespace tauhat::mdf4
