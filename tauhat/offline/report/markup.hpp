// Foreign text made harmless: studies and logs name things, and a name must never become markup or script.
#pragma once

#include <string>
#include <string_view>

namespace tauhat {

// For HTML text and for attributes in double quotes.
std::string escaped(std::string_view text);

// JSON for a <script type="application/json"> block: no byte of it can end the block.
std::string script_safe(std::string_view json);

// An escaped unit or number as it is printed: "kg m^2" -> "kg m²", "-3" -> "−3".
std::string typeset(std::string_view text);

}  // namespace tauhat
