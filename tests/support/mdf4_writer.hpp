// Writes small MDF 4 files for tests, block by block: whatever the format allows, and what it does not.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

// Appends a number as its bytes stand in memory (little-endian), or reversed.
template <class T>
void put(std::string& bytes, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  bytes.append(raw, sizeof(T));
}
template <class T>
void put_big_endian(std::string& bytes, T value) {
  const std::size_t start = bytes.size();
  put(bytes, value);
  std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(start), bytes.end());
}

struct Mdf4Channel {
  enum Type : std::uint8_t { fixed, variable_length, master, virtual_master, sync, max_length, virtual_data };
  enum DataType : std::uint8_t {
    u_little,
    u_big,
    s_little,
    s_big,
    real_little,
    real_big,
    latin1,
    utf8,
    bytes = 10,
    date = 13
  };
  std::string name{};
  std::uint8_t data_type = u_little;
  std::uint32_t byte_offset = 0, bits = 8;
  std::uint8_t bit_offset = 0;
  std::uint8_t type = fixed;
  std::uint8_t synchronised_by = 0;
  std::uint64_t conversion = 0, unit = 0, composition = 0;
  std::uint32_t flags = 0, invalidation_bit = 0;
};

struct Mdf4Group {
  std::string name{};
  std::uint64_t cycles = 0;
  std::uint32_t data_bytes = 0;
  std::uint64_t first_channel = 0;
  std::uint64_t record_id = 0;
  std::uint32_t invalidation_bytes = 0;
  std::uint16_t flags = 0;
};

class Mdf4Writer {
 public:
  using Link = std::uint64_t;

  explicit Mdf4Writer(std::string_view kind = "MDF     ", std::uint16_t unfinalised_flags = 0) {
    bytes_ = std::string(kind) + "4.10    " + "tauhat  ";
    bytes_.resize(60);
    put(bytes_, unfinalised_flags);
    bytes_.resize(64);
    last_data_group_ = block("HD", {0, 0, 0, 0, 0, 0}, std::string(32, '\0'));
  }

  Link block(std::string_view id, const std::vector<Link>& links, std::string_view data) {
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    const Link offset = bytes_.size();
    bytes_ += "##";
    bytes_ += id;
    bytes_.append(4, '\0');
    put<std::uint64_t>(bytes_, 24 + 8 * links.size() + data.size());
    put<std::uint64_t>(bytes_, links.size());
    for (const Link link : links) put(bytes_, link);
    bytes_ += data;
    return offset;
  }
  void set_link(Link block, std::size_t i, Link target) {
    std::memcpy(bytes_.data() + block + 24 + 8 * i, &target, sizeof(target));
  }
  void set_length(Link block, std::uint64_t length) { std::memcpy(bytes_.data() + block + 8, &length, sizeof(length)); }

  Link text(const std::string& text) { return text.empty() ? 0 : block("TX", {}, text + '\0'); }
  Link metadata(const std::string& xml) { return block("MD", {}, xml + '\0'); }

  Link conversion(std::uint8_t type, const std::vector<double>& values, const std::vector<Link>& references = {},
                  Link unit = 0) {
    std::string data;
    put(data, type);
    data.append(3, '\0');
    put(data, static_cast<std::uint16_t>(references.size()));
    put(data, static_cast<std::uint16_t>(values.size()));
    data.append(16, '\0');
    for (const double value : values) put(data, value);
    std::vector<Link> links{0, unit, 0, 0};
    links.insert(links.end(), references.begin(), references.end());
    return block("CC", links, data);
  }

  // A chain of channels; the first one's link.
  Link channels(const std::vector<Mdf4Channel>& list) {
    Link next = 0;
    for (auto c = list.rbegin(); c != list.rend(); ++c) {
      std::string data;
      for (const std::uint8_t field : {c->type, c->synchronised_by, c->data_type, c->bit_offset}) put(data, field);
      for (const std::uint32_t field : {c->byte_offset, c->bits, c->flags, c->invalidation_bit}) put(data, field);
      data.append(4 + 6 * 8, '\0');
      next = block("CN", {next, c->composition, text(c->name), 0, c->conversion, 0, c->unit, 0}, data);
    }
    return next;
  }

  Link plain(std::string_view data) { return block("DT", {}, data); }
  // columns > 0: transposed before.
  Link deflated(const std::string& data, std::uint32_t columns = 0) {
    std::string records = data;
    const std::size_t rows = columns == 0 ? 0 : data.size() / columns;
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) records[c * rows + r] = data[r * columns + c];
    std::string packed(compressBound(records.size()), '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(records.data()),
             records.size());
    packed.resize(size);
    std::string fields = "DT";
    put(fields, static_cast<std::uint16_t>(columns > 0 ? 1 : 0));
    put(fields, columns);
    put<std::uint64_t>(fields, records.size());
    put<std::uint64_t>(fields, packed.size());
    return block("DZ", {}, fields + packed);
  }
  Link list(const std::vector<Link>& parts, Link next = 0) {
    std::vector<Link> links{next};
    links.insert(links.end(), parts.begin(), parts.end());
    std::string data(4, '\0');
    put(data, static_cast<std::uint32_t>(parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i) put<std::uint64_t>(data, 0);  // places, which no reader needs
    return block("DL", links, data);
  }
  Link header_of_list(Link list) { return block("HL", {list}, std::string(8, '\0')); }

  Link data_group(const std::vector<Mdf4Group>& groups, Link data, std::uint8_t record_id_bytes = 0) {
    Link next = 0;
    for (auto g = groups.rbegin(); g != groups.rend(); ++g) {
      std::string fields;
      put(fields, g->record_id);
      put(fields, g->cycles);
      put(fields, g->flags);
      fields.append(6, '\0');
      put(fields, g->data_bytes);
      put(fields, g->invalidation_bytes);
      next = block("CG", {next, g->first_channel, text(g->name), 0, 0, 0}, fields);
    }
    const Link group =
        block("DG", {0, next, data, 0}, std::string(1, static_cast<char>(record_id_bytes)) + std::string(7, '\0'));
    set_link(last_data_group_, 0, group);
    last_data_group_ = group;
    return group;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  Link last_data_group_ = 0;  // or the header: both name the next one first
};

}  // namespace tauhat
