// Where the tests find the repository's files and the program. Compiled once (tests/CMakeLists.txt), so that
// no other object depends on where the tree lies: a second clone takes them all from the compiler cache. For
// the same reason __FILE__ is relative in this project.
#pragma once

#include <filesystem>

namespace tauhat {

std::filesystem::path source_dir();  // the repository
std::filesystem::path program();     // the executable of this build

}  // namespace tauhat
