#include "tauhat/offline/log/formats/mcap_topics.hpp"

#include <algorithm>

namespace tauhat::mcap {

std::string dotted(std::string topic) {
  if (topic.starts_with('/')) topic.erase(0, 1);
  std::replace(topic.begin(), topic.end(), '/', '.');
  return topic;
}

// None where the messages' encoding is unknown.
Topic* Topics::topic_of(const Definitions& definitions, const Message& message) {
  const auto known = place_of_channel_.find(message.channel);
  if (known != place_of_channel_.end()) return known->second == kNone ? nullptr : &topics_[known->second];
  const Channel& channel = definitions.channel(message.channel, message.place);
  const Schema* schema = definitions.schema_of(channel);
  const Decode decode = decoder_of(channel, schema);
  std::size_t& place = place_of_channel_[message.channel] = kNone;
  if (decode == nullptr) return nullptr;
  const std::vector<std::string> key{channel.topic, channel.encoding, schema != nullptr ? schema->name : ""};
  place = place_of_key_.try_emplace(key, topics_.size()).first->second;
  if (place == topics_.size()) topics_.emplace_back(names_.add(dotted(channel.topic)), decode);
  return &topics_[place];
}

void Topics::look_at(const Definitions& definitions, const Message& message) {
  start_time_ = std::min(start_time_, message.log_time);
  ++messages_[message.channel];
  if (Topic* topic = topic_of(definitions, message)) topic->look_at(message, name_bytes_);
}

void Topics::read(const Definitions& definitions, const Message& message, std::uint64_t origin) {
  Topic* topic = topic_of(definitions, message);
  if (topic != nullptr && topic->has_wanted()) topic->read(message, origin);
}

bool Topics::agree_with(const Index& index) const {
  const auto& channels = index.definitions.channels();
  return std::all_of(channels.begin(), channels.end(), [&](const auto& entry) {
    const auto& [id, channel] = entry;
    if (decoder_of(channel, index.definitions.schema_of(channel)) == nullptr) return true;
    const auto counted = messages_.find(id), declared = index.messages.find(id);
    return (counted == messages_.end() ? 0 : counted->second) ==
           (declared == index.messages.end() ? 0 : declared->second);
  });
}

bool Topics::is_wanted(std::uint16_t channel) const {
  const auto found = place_of_channel_.find(channel);
  return found != place_of_channel_.end() && found->second != kNone && topics_[found->second].has_wanted();
}

}  // namespace tauhat::mcap
