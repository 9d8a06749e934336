// The files that the fuzzers start from: make_seeds FOLDER writes FOLDER/mdf4/, FOLDER/mcap/ and so on.
#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "support/mat_bytes.hpp"
#include "support/mat_writer.hpp"
#include "support/mcap_samples.hpp"
#include "support/mdf4_samples.hpp"

namespace {

namespace fs = std::filesystem;

void write(const fs::path& folder, const std::vector<std::string>& files) {
  fs::create_directories(folder);
  for (std::size_t i = 0; i < files.size(); ++i)
    std::ofstream(folder / std::to_string(i), std::ios::binary) << files[i];
}

std::vector<double> ramp(std::size_t count) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1.0);
  return numbers;
}

// Every class of variable, plain and packed, in both byte orders.
std::vector<std::string> mat_samples() {
  std::vector<std::string> samples;
  for (const bool big_endian : {false, true}) {
    const tauhat::MatBytes mat{.big_endian = big_endian};
    const std::string small = mat.number(std::uint32_t{3 << 16 | 2}) + std::string("\1\2\3\0", 4);
    const std::vector<std::string> variables{
        mat.reals("t", ramp(12)),
        mat.matrix(9, {1, 3}, "u", small),
        mat.structure("rec", "Data", mat.reals("", ramp(12))),
        mat.structure("sig", "label", mat.matrix(4, {1, 2}, "", mat.element(16, "ab"))),
        mat.matrix(1, {1, 2}, "runs", mat.reals("", ramp(2)) + mat.reals("", ramp(3))),
        mat.matrix(5, {1, 1}, "thin", ""),
        mat.object("ts", "timeseries")};
    std::string plain, packed;
    for (const std::string& variable : variables) plain += variable, packed += mat.packed(variable);
    samples.push_back(mat.file(plain));
    samples.push_back(mat.file(packed));
  }
  return samples;
}

// A variable of each kind, as the library of MATLAB's files writes them.
std::vector<matvar_t*> library_variables() {
  using namespace tauhat;
  return {mat_array("t", ramp(9)), mat_array<std::int16_t>("counts", {1, 2, 3}), mat_array("pages", ramp(8), {2, 2, 2}),
          mat_struct("out", {"time", "signals"},
                     {mat_array("", ramp(9)), mat_struct("", {"values", "label"},
                                                         {mat_array("", ramp(18), {9, 2}), mat_text("", "speed"),
                                                          mat_array("", ramp(9)), mat_text("", "torque")})}),
          mat_cells("cases", {mat_array("", ramp(2)), mat_array("", ramp(3))})};
}

// As h5py writes: a group, a packed dataset and an attribute.
void write_hdf5(const fs::path& path) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(file, "axis", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t lengths[] = {16, 2}, chunk[] = {4, 2};
  const hid_t space = H5Screate_simple(2, lengths, nullptr), packed = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(packed, 2, chunk);
  H5Pset_shuffle(packed);
  H5Pset_deflate(packed, 6);
  const hid_t dataset = H5Dcreate2(group, "speed", H5T_STD_I16BE, space, H5P_DEFAULT, packed, H5P_DEFAULT);
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, ramp(32).data());
  const hid_t text = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
  H5Tset_size(text, 5);
  const hid_t unit = H5Acreate2(dataset, "unit", text, one, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(unit, text, "rad/s");
  H5Aclose(unit);
  H5Dclose(dataset);
  H5Gclose(group);
  H5Fclose(file);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const fs::path folder = arguments[1];
  write(folder / "mdf4", tauhat::mdf4_samples());
  write(folder / "mcap", tauhat::mcap_samples());
  write(folder / "mat", mat_samples());
  fs::create_directories(folder / "hdf5");
  for (const tauhat::MatVersion& version : tauhat::kMatVersions)
    tauhat::write_mat(folder / (version.format == MAT_FT_MAT73 ? "hdf5" : "mat") / version.name, library_variables(),
                      version);
  write_hdf5(folder / "hdf5" / "h5py");
  fs::copy(FIXTURES, folder / "csv", fs::copy_options::recursive | fs::copy_options::overwrite_existing);
}
