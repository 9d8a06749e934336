#include "tauhat/offline/log/formats/mcap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <optional>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/formats.hpp"
#include "tauhat/offline/log/formats/mcap_scan.hpp"
#include "tauhat/offline/log/formats/mcap_topics.hpp"
#include "tauhat/offline/log/text.hpp"

namespace tauhat {
namespace {

using namespace mcap;

// A topic whose messages tauhat cannot read.
struct Refused {
  std::string name, reason;
};

struct ColumnPlace {
  std::size_t topic, column;
};

// What a file holds, and how to come back to it.
struct Contents {
  Topics topics;
  std::optional<Index> index;  // none: from the first record to the last
  std::uint64_t origin = 0;    // of all stamps, ns
  std::vector<Refused> refused;
  std::vector<ColumnPlace> columns;
  std::vector<ColumnInfo> infos;  // of the columns
};

std::vector<Refused> refused_of(const Definitions& definitions) {
  std::vector<Refused> refused;
  for (const auto& [id, channel] : definitions.channels()) {
    const Schema* schema = definitions.schema_of(channel);
    if (decoder_of(channel, schema) == nullptr)
      refused.push_back(
          {dotted(channel.topic),
           fmt::format("topic \"{}\" has messages in \"{}\"{}, which tauhat does not decode; it decodes \"json\", and "
                       "\"cdr\" of sensor_msgs/msg/JointState",
                       shown(channel.topic), shown(channel.encoding),
                       schema != nullptr ? " of " + shown(schema->name) : "")});
  }
  return refused;
}

// The first time through: by the index where there is one, and it counts the messages that are found.
void look_at_messages(const BinaryFile& file, Contents& contents) {
  const UseMessage look = [&](const Definitions& definitions, const Message& message) {
    contents.topics.look_at(definitions, message);
  };
  contents.index = read_index(file);
  if (contents.index) {
    const Definitions& definitions = contents.index->definitions;
    const auto is_decoded = [&](std::uint16_t id) {
      const auto found = definitions.channels().find(id);
      return found == definitions.channels().end() ||
             decoder_of(found->second, definitions.schema_of(found->second)) != nullptr;
    };
    scan_chunks(file, *contents.index, is_decoded, look);
    contents.origin = contents.index->start_time;
    contents.refused = refused_of(definitions);
    if (contents.topics.agree_with(*contents.index)) return;
    contents.index.reset();  // there are messages outside of its chunks
    contents.topics = {};
  }
  contents.refused = refused_of(scan_file(file, look));
  contents.origin = contents.topics.start_time();
}

Contents look_at(const BinaryFile& file) {
  if (!has_magic(file, 0)) Place{&file, 0}.refuse("not an MCAP file: it does not begin like one");
  Contents contents;
  look_at_messages(file, contents);
  UniqueNames names;
  const std::vector<Topic>& topics = contents.topics.all();
  for (std::size_t t = 0; t < topics.size(); ++t) {
    std::string clock;
    for (std::size_t c = 0; c < topics[t].paths().size(); ++c) {
      const std::string name = names.add(fmt::format("{}.{}", topics[t].name(), topics[t].paths()[c]));
      contents.columns.push_back({t, c});
      contents.infos.push_back({name, c == Topic::kClock ? "s" : "", topics[t].messages(), clock});
      if (c == Topic::kClock) clock = name;
    }
  }
  return contents;
}

void check_wanted(const BinaryFile& file, const Contents& contents, const std::vector<std::string>& wanted) {
  for (const std::string& name : wanted) {
    if (std::any_of(contents.infos.begin(), contents.infos.end(),
                    [&](const ColumnInfo& info) { return info.name == name; }))
      continue;
    for (const Refused& refused : contents.refused)
      if (name == refused.name || name.starts_with(refused.name + "."))
        throw Error(ExitCode::unusable_data, fmt::format("{}: {}", file.source(), refused.reason));
  }
}

void read_messages(const BinaryFile& file, Contents& contents) {
  const UseMessage read = [&](const Definitions& definitions, const Message& message) {
    contents.topics.read(definitions, message, contents.origin);
  };
  if (contents.index)
    scan_chunks(
        file, *contents.index, [&](std::uint16_t id) { return contents.topics.is_wanted(id); }, read);
  else
    scan_file(file, read);
}

}  // namespace

std::vector<ColumnInfo> list_mcap(const BinaryFile& file) { return look_at(file).infos; }

Recording read_mcap(const BinaryFile& file, const std::vector<std::string>& wanted) try {
  Contents contents = look_at(file);
  check_wanted(file, contents, wanted);
  const std::vector<std::size_t> found = wanted_and_their_clocks(contents.infos, wanted, file.source());
  std::uint64_t numbers = 0;
  for (const std::size_t i : found) file.check_values(numbers += contents.infos[i].samples);
  for (const std::size_t i : found) contents.topics.all()[contents.columns[i].topic].want(contents.columns[i].column);
  read_messages(file, contents);
  Recording recording{file.source(), {}};
  for (const std::size_t i : found) {
    const ColumnInfo& info = contents.infos[i];
    const Topic& topic = contents.topics.all()[contents.columns[i].topic];
    recording.columns.push_back({info.name, info.unit, topic.values(contents.columns[i].column), false, info.clock});
  }
  return recording;
} catch (const std::bad_alloc&) {
  throw Error(ExitCode::unusable_data, fmt::format("{}: the wanted columns do not fit in memory", file.source()));
}

std::vector<ColumnInfo> list_mcap(const std::string& path) { return list_mcap(BinaryFile(path)); }

Recording read_mcap(const std::string& path, const std::vector<std::string>& wanted) {
  return read_mcap(BinaryFile(path), wanted);
}

}  // namespace tauhat
