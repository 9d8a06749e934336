// MDF 4 files that between them use every block that tauhat reads; they are damaged in tests, and seed the fuzzer.
#pragma once

#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "support/mdf4_writer.hpp"

namespace tauhat {

// Three samples of time (double), a bit field, a scaled integer and a float with an invalidation bit.
inline std::string sorted_records() {
  std::string records;
  for (int k = 0; k < 3; ++k) {
    put(records, 0.5 * k);
    put(records, static_cast<std::uint16_t>(100 * k));
    put(records, static_cast<float>(k) + 0.25f);
    put(records, static_cast<std::uint8_t>(k == 1 ? 1 : 0));
  }
  return records;
}

enum class Mdf4Data { plain, deflated, transposed, list };

inline void PrintTo(Mdf4Data data, std::ostream* out) {
  constexpr std::array<const char*, 4> kNames{"plain", "deflated", "transposed", "list"};
  *out << kNames[static_cast<std::size_t>(data)];
}

inline Mdf4Writer::Link write_data(Mdf4Writer& writer, Mdf4Data kind, const std::string& records,
                                   std::uint32_t record_bytes) {
  switch (kind) {
    case Mdf4Data::plain:
      return writer.plain(records);
    case Mdf4Data::deflated:
      return writer.deflated(records);
    case Mdf4Data::transposed:
      return writer.deflated(records, record_bytes);
    case Mdf4Data::list:
      break;
  }
  // Cut inside of a record: a list joins its parts to one stream.
  const auto second = writer.list({writer.deflated(records.substr(20))});
  return writer.header_of_list(
      writer.list({writer.plain(records.substr(0, 7)), writer.plain(records.substr(7, 13))}, second));
}

inline std::string sorted_mdf4(Mdf4Data kind) {
  Mdf4Writer writer;
  const auto seconds = writer.metadata("<CNunit xmlns='x'><TX>s</TX></CNunit>");
  const auto scale = writer.conversion(1, {-5.0, 0.1}, {}, writer.text("N m"));
  const auto table = writer.conversion(4, {0.0, 0.0, 10.0, 20.0});
  const auto channels = writer.channels({
      {.name = "time",
       .data_type = Mdf4Channel::real_little,
       .bits = 64,
       .type = Mdf4Channel::master,
       .synchronised_by = 1,
       .unit = seconds},
      {.name = "torque", .data_type = Mdf4Channel::s_little, .byte_offset = 8, .bits = 16, .conversion = scale},
      {.name = "flags", .byte_offset = 8, .bits = 3, .bit_offset = 2},
      {.name = "speed",
       .data_type = Mdf4Channel::real_little,
       .byte_offset = 10,
       .bits = 32,
       .conversion = table,
       .unit = writer.text("rad/s"),
       .flags = 2},
      {.name = "label", .data_type = Mdf4Channel::utf8, .byte_offset = 8, .bits = 16},
  });
  const auto data = write_data(writer, kind, sorted_records(), 15);
  writer.data_group(
      {{.name = "Drive", .cycles = 3, .data_bytes = 14, .first_channel = channels, .invalidation_bytes = 1}}, data);
  return writer.bytes();
}

// Two groups in one stream, led by ids of `id_bytes`, and texts of variable length between them.
inline std::string unsorted_mdf4(std::uint8_t id_bytes, bool finalised = true) {
  Mdf4Writer writer(finalised ? "MDF     " : "UnFinMF ", finalised ? 0 : 5);
  const auto group = [&](const std::string& name) {
    const auto channels =
        writer.channels({{.name = "t", .byte_offset = 0, .bits = 16, .type = Mdf4Channel::master, .synchronised_by = 1},
                         {.name = name, .data_type = Mdf4Channel::s_big, .byte_offset = 2, .bits = 16}});
    return Mdf4Group{.name = name, .cycles = finalised ? 2u : 0u, .data_bytes = 4, .first_channel = channels};
  };
  Mdf4Group fast = group("fast"), slow = group("slow"), texts;
  fast.record_id = 7;
  slow.record_id = 200;
  texts.record_id = 9;
  texts.flags = 1;
  const auto data_group = writer.data_group({fast, slow, texts}, 0, id_bytes);
  std::string records;
  const auto record = [&](std::uint64_t id, std::uint16_t time, std::int16_t value) {
    records.append(reinterpret_cast<const char*>(&id), id_bytes);
    put(records, time);
    put_big_endian(records, value);
  };
  record(7, 0, -1);
  record(200, 0, 300);
  const std::uint64_t text_id = 9;
  records.append(reinterpret_cast<const char*>(&text_id), id_bytes);
  put(records, std::uint32_t{5});
  records += "hello";
  record(7, 1, -2);
  record(200, 10, -300);
  writer.set_link(data_group, 2, writer.plain(records));
  std::string bytes = writer.bytes();
  return bytes;
}

// Every conversion, a structure, an array, a virtual clock, and floats and integers of both byte orders.
inline std::string conversions_mdf4() {
  Mdf4Writer writer;
  const auto scale = writer.conversion(1, {0.0, 2.0}), text = writer.text("n/a");
  std::vector<Mdf4Channel> list{
      {.name = "time", .bits = 0, .type = Mdf4Channel::virtual_master, .synchronised_by = 1, .conversion = scale},
      {.name = "half", .data_type = Mdf4Channel::real_big, .bits = 16},
      {.name = "odd", .data_type = Mdf4Channel::s_big, .bits = 13, .bit_offset = 3},
      {.name = "frame",
       .data_type = Mdf4Channel::bytes,
       .bits = 16,
       .composition = writer.channels({{.name = "member"}})},
      {.name = "curve", .composition = writer.block("CA", {0}, std::string(16, '\0'))}};
  for (const auto conversion :
       {writer.conversion(0, {}), writer.conversion(2, {1, 2, 3, 0, 1, 1}),
        writer.conversion(3, {}, {writer.text("X+1")}), writer.conversion(4, {0, 0, 100, 1}),
        writer.conversion(5, {0, 0, 100, 1}), writer.conversion(6, {0, 99, 1, 7}),
        writer.conversion(7, {97, 98}, {text, scale, scale}), writer.conversion(8, {0, 97, 98, 99}, {scale, text, 0}),
        writer.conversion(9, {1}), writer.conversion(11, {1}, {text})})
    list.push_back({.name = "x", .conversion = conversion, .flags = 2, .invalidation_bit = 1});
  const auto channels = writer.channels(list);
  writer.data_group({{.cycles = 4, .data_bytes = 2, .first_channel = channels, .invalidation_bytes = 1}},
                    writer.plain("abcdefghijkl"));
  return writer.bytes();
}

inline std::vector<std::string> mdf4_samples() {
  std::vector<std::string> samples;
  for (const Mdf4Data kind : {Mdf4Data::plain, Mdf4Data::deflated, Mdf4Data::transposed, Mdf4Data::list})
    samples.push_back(sorted_mdf4(kind));
  for (const std::uint8_t id_bytes : std::initializer_list<std::uint8_t>{1, 2, 4, 8})
    samples.push_back(unsorted_mdf4(id_bytes));
  samples.push_back(unsorted_mdf4(2, false));
  samples.push_back(conversions_mdf4());
  return samples;
}

}  // namespace tauhat
