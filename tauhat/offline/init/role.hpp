// What a column's name says of it, in the words of drives, scopes and robots: which quantity, on which side of the
// gear, measured or commanded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

enum class ColumnKind { none, time, position, velocity, torque, current };
enum class GearSide { untold, motor, load };

struct ColumnRole {
  ColumnKind kind = ColumnKind::none;
  int weight = 0;  // how sure the name makes it
  GearSide side = GearSide::untold;
  bool is_command = false;
};

// "w_m", "wm" and "motor speed" are the motor's; "w_l", "wl", "link velocity" and "pos_out" the load's.
ColumnRole role_by_name(const std::string& name);

// Names that differ in nothing but a number behind the quantity, 1 in one and 2 in the other ("w1" and "w2"), are the
// motor's and the load's. One side a name. Where there are more of them, they number axes or joints.
std::vector<GearSide> sides_by_number(const std::vector<std::string>& names);

// "Axis1.ActVelo [rpm]" -> axis1, act, velo, rpm: split at what is no letter or digit, and where a capital follows a
// small letter.
std::vector<std::string> words_of(std::string_view name);

// "0x6077" and "6077h" are 6077; "position0" is position.
std::string plain_word(std::string word);

}  // namespace tauhat
