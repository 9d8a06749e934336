// Writes small MCAP files for tests: chunks of any compression, with and without a summary, closed or cut off.
#pragma once

#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace tauhat {

// Fields one after the other.
class McapFields {
 public:
  template <class T>
  McapFields& number(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes_.append(raw, sizeof(T));
    return *this;
  }
  McapFields& text(const std::string& text) {
    number(static_cast<std::uint32_t>(text.size()));
    return raw(text);
  }
  McapFields& raw(const std::string& bytes) {
    bytes_ += bytes;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

inline std::uint32_t crc_of(const std::string& bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

class McapWriter {
 public:
  enum Op : std::uint8_t {
    header = 1,
    footer,
    schema,
    channel,
    message,
    chunk,
    message_index,
    chunk_index,
    attachment,
    statistics = 11,
    summary_offset = 14,
    data_end
  };
  bool checksums = true;

  McapWriter() { raw_record(header, McapFields().text("").text("")); }

  static std::string record(Op op, const McapFields& fields) {
    return McapFields().number(op).number<std::uint64_t>(fields.bytes().size()).raw(fields.bytes()).bytes();
  }

  // They go to the open chunk, or to the file where there is none.
  void define_schema(std::uint16_t id, const std::string& name, const std::string& encoding) {
    define(record(schema, McapFields().number(id).text(name).text(encoding).text("")));
  }
  void define_channel(std::uint16_t id, std::uint16_t schema_id, const std::string& topic,
                      const std::string& encoding) {
    define(record(channel, McapFields().number(id).number(schema_id).text(topic).text(encoding).text("")));
    ++channels_;
  }
  void write(std::uint16_t channel_id, std::uint64_t time, const std::string& data) {
    const std::uint64_t start = in_chunk_ ? records_.size() : bytes_.size();
    put(record(message,
               McapFields().number(channel_id).number<std::uint32_t>(sequence_++).number(time).number(time).raw(data)));
    ++messages_[channel_id];
    indexed_[channel_id].push_back({time, start});
    first_ = std::min(first_, time);
    last_ = std::max(last_, time);
  }

  void open_chunk() { in_chunk_ = true; }
  void close_chunk(const std::string& method = "") {
    std::uint64_t from = UINT64_MAX, to = 0;
    for (const auto& [id, entries] : indexed_)
      for (const auto& [time, place] : entries) from = std::min(from, time), to = std::max(to, time);
    const std::string packed = pack(records_, method);
    McapFields fields;
    fields.number(from).number(to).number<std::uint64_t>(records_.size());
    fields.number(checksums ? crc_of(records_) : 0u).text(method).number<std::uint64_t>(packed.size()).raw(packed);
    const std::uint64_t start = bytes_.size();
    raw_record(chunk, fields);
    McapFields index, offsets;
    const std::uint64_t length = bytes_.size() - start;
    for (const auto& [id, entries] : indexed_) {
      offsets.number(id).number<std::uint64_t>(bytes_.size());
      McapFields places;
      for (const auto& [time, place] : entries) places.number(time).number(place);
      raw_record(message_index, McapFields().number(id).text(places.bytes()));
    }
    index.number(from).number(to).number(start).number(length).text(offsets.bytes());
    index.number<std::uint64_t>(bytes_.size() - start - length).text(method).number<std::uint64_t>(packed.size());
    chunk_indexes_ += record(chunk_index, index.number<std::uint64_t>(records_.size()));
    ++chunks_;
    records_.clear();
    indexed_.clear();
    in_chunk_ = false;
  }

  void raw_record(Op op, const McapFields& fields) { bytes_ += record(op, fields); }

  // Without data end, summary and footer: as a loss of power leaves it.
  const std::string& cut_off() const { return bytes_; }

  // Closed, with a summary or without.
  std::string closed(bool with_summary = true) const {
    std::string file = bytes_ + record(data_end, McapFields().number(checksums ? crc_of(bytes_) : 0u));
    const std::uint64_t start = file.size();
    std::string records, offsets;
    const auto add_group = [&](Op op, const std::string& group) {
      offsets += record(
          summary_offset,
          McapFields().number(op).number<std::uint64_t>(start + records.size()).number<std::uint64_t>(group.size()));
      records += group;
    };
    if (with_summary) {
      add_group(channel, definitions_);
      add_group(statistics, statistics_record());
      add_group(chunk_index, chunk_indexes_);
    }
    McapFields end;
    end.number(with_summary ? start : 0).number(with_summary ? start + records.size() : 0);
    const std::string head = McapFields().number(footer).number<std::uint64_t>(20).bytes();
    end.number(checksums && with_summary ? crc_of(records + offsets + head + end.bytes()) : 0u);
    return file + records + offsets + record(footer, end) + kMagic;
  }

  std::string statistics_record() const {
    McapFields fields, counts;
    std::uint64_t total = 0;
    for (const auto& [id, count] : messages_) {
      counts.number(id).number(count);
      total += count;
    }
    fields.number(total).number<std::uint16_t>(0).number(channels_).number<std::uint64_t>(0).number(chunks_);
    return record(statistics, fields.number(first_).number(last_).text(counts.bytes()));
  }

 private:
  static inline const std::string kMagic = "\x89MCAP0\r\n";

  void define(const std::string& bytes) {
    definitions_ += bytes;
    put(bytes);
  }
  void put(const std::string& bytes) { (in_chunk_ ? records_ : bytes_) += bytes; }

  static std::string pack(const std::string& bytes, const std::string& method) {
    if (method != "lz4" && method != "zstd") return bytes;
    std::string packed(std::max(LZ4F_compressFrameBound(bytes.size(), nullptr), ZSTD_compressBound(bytes.size())),
                       '\0');
    packed.resize(method == "lz4"
                      ? LZ4F_compressFrame(packed.data(), packed.size(), bytes.data(), bytes.size(), nullptr)
                      : ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
    return packed;
  }

  std::string bytes_ = kMagic, records_, definitions_, chunk_indexes_;
  bool in_chunk_ = false;
  std::map<std::uint16_t, std::vector<std::pair<std::uint64_t, std::uint64_t>>> indexed_;  // of the open chunk
  std::map<std::uint16_t, std::uint64_t> messages_;
  std::uint64_t first_ = UINT64_MAX, last_ = 0;
  std::uint32_t channels_ = 0, chunks_ = 0, sequence_ = 0;
};

}  // namespace tauhat
