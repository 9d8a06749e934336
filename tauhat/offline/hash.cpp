#include "tauhat/offline/hash.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>

#include "tauhat/offline/log/text.hpp"
#include "tauhat/offline/unreadable.hpp"

namespace tauhat {
namespace {

class Sha256 {
 public:
  Sha256() { EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr); }
  void add(const char* bytes, std::size_t size) { EVP_DigestUpdate(context_.get(), bytes, size); }
  std::string hexadecimal() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
    std::string text;
    for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

}  // namespace

std::string sha256_of_log(const std::string& path) {
  Sha256 hash;
  if (is_pipe(path)) {
    const FileText text = read_file_text(path);
    hash.add(text.bytes.get(), text.size);
    return hash.hexadecimal();
  }
  require_readable(path, ExitCode::unusable_data);
  std::ifstream file(path, std::ios::binary);
  std::array<char, 1 << 16> block;
  while (file.read(block.data(), block.size()) || file.gcount() > 0)
    hash.add(block.data(), static_cast<std::size_t>(file.gcount()));
  return hash.hexadecimal();
}

std::string sha256_of_samples(const Log& log) {
  Sha256 hash;
  for (const Channel& channel : log.channels) {
    hash.add(channel.signal.c_str(), channel.signal.size() + 1);
    for (const std::vector<double>* numbers : {channel.time.get(), &channel.value})
      hash.add(reinterpret_cast<const char*>(numbers->data()), numbers->size() * sizeof(double));
  }
  return hash.hexadecimal();
}

}  // namespace tauhat
