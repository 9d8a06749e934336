// MATLAB's classes by name, as both of its file formats know them.
#pragma once

#include <string>
#include <string_view>

namespace tauhat {

// Classes whose arrays are numbers: "double" to "uint64", and "logical".
bool is_number_class(std::string_view name) noexcept;

// Why an array of any other class makes no column, and what its owner can do in MATLAB.
std::string reason_of_class(const std::string& path, std::string_view name);

}  // namespace tauhat
