// The program, run as its user runs it, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/paths.hpp"

namespace tauhat {

namespace fs = std::filesystem;

struct Outcome {
  int code;
  std::string output;  // of both streams
};

class Program : public testing::Test {
 protected:
  Program() : folder_(fs::temp_directory_path() / ("tauhat_cli_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Program() override { fs::remove_all(folder_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string demo() const { return (source_dir() / "studies/demo/demo.toml").string(); }

  Outcome run(const std::string& arguments) const {
    const std::string command = program().string() + " " + arguments + " 2>&1";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::string output;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
      output.append(buffer.data(), n);
    const int status = ::pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  nlohmann::json json(const std::string& name) const { return nlohmann::json::parse(read(name)); }

  // Another study's text with one part replaced by another.
  void write_changed(const std::string& name, const std::string& study, const std::string& from,
                     const std::string& to) const {
    std::ifstream file(study);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write(name, text.replace(at, from.size(), to));
  }
  void write_demo(const std::string& name, const std::string& from, const std::string& to) const {
    write_changed(name, demo(), from, to);
  }

 private:
  fs::path folder_;
};

}  // namespace tauhat
