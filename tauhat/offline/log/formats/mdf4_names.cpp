#include "tauhat/offline/log/formats/mdf4_names.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "tauhat/offline/log/formats/unique_names.hpp"

namespace tauhat::mdf4 {
namespace {

using Counts = std::unordered_map<std::string, std::size_t>;

std::vector<NamedChannel> places(const Catalogue& catalogue) {
  std::vector<NamedChannel> all;
  for (std::size_t d = 0; d < catalogue.data_groups.size(); ++d)
    for (std::size_t g = 0; g < catalogue.data_groups[d].groups.size(); ++g)
      for (std::size_t c = 0; c < catalogue.data_groups[d].groups[g].channels.size(); ++c)
        all.push_back({catalogue.data_groups[d].groups[g].channels[c].name, d, g, c});
  return all;
}

// What stands before a name that is not unique: the group's own name where no other group has it, else its number.
std::vector<std::vector<std::string>> group_names(const Catalogue& catalogue) {
  Counts counts;
  for (const DataGroup& data_group : catalogue.data_groups)
    for (const Group& group : data_group.groups) ++counts[group.name];
  std::vector<std::vector<std::string>> names;
  std::size_t number = 0;
  for (const DataGroup& data_group : catalogue.data_groups) {
    names.emplace_back();
    for (const Group& group : data_group.groups) {
      ++number;
      const bool is_unique = !group.name.empty() && counts[group.name] == 1;
      names.back().push_back(is_unique ? group.name : fmt::format("cg{}", number));
    }
  }
  return names;
}

}  // namespace

std::vector<NamedChannel> name_channels(const Catalogue& catalogue) {
  std::vector<NamedChannel> channels = places(catalogue);
  const std::vector<std::vector<std::string>> groups = group_names(catalogue);
  Counts occurrences;
  UniqueNames names;
  for (const NamedChannel& channel : channels) ++occurrences[channel.name];
  for (const NamedChannel& channel : channels)
    if (occurrences[channel.name] == 1) names.add(channel.name);  // they keep their names
  for (NamedChannel& channel : channels)
    if (occurrences[channel.name] > 1)
      channel.name = names.add(fmt::format("{}.{}", groups[channel.data_group][channel.group], channel.name));
  return channels;
}

}  // namespace tauhat::mdf4
