#include "tauhat/offline/study/robot_rewrite.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "tauhat/core/robot/parameters.hpp"
#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

using Line = toml::source_index;  // from one

// Lines of a text, of which some go, and after some of which others come.
class EditedLines {
 public:
  explicit EditedLines(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      lines_.push_back(text.substr(at, end - at));
      at = end;
    }
    if (!lines_.empty() && lines_.back().back() != '\n') lines_.back() += '\n';
  }

  std::string& at(Line line) { return lines_.at(line - 1); }
  void remove(Line first, Line last) {
    for (Line line = first; line <= last; ++line) removed_.insert(line);
  }
  void insert_after(Line line, const std::string& text) { after_[line] += text; }
  void append(const std::string& text) { insert_after(static_cast<Line>(lines_.size()), text); }

  std::string text() const {
    std::string all;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const auto line = static_cast<Line>(k + 1);
      if (!removed_.contains(line)) all += lines_[k];
      if (const auto more = after_.find(line); more != after_.end()) all += more->second;
    }
    return all;
  }

 private:
  std::vector<std::string> lines_;
  std::set<Line> removed_;
  std::map<Line, std::string> after_;
};

// A table of its own lines, `a.b = 1` or [a] b = 1, rather than { b = 1 }.
const toml::table* table_of_lines(const toml::node& node) {
  const toml::table* table = node.as_table();
  return table && !table->is_inline() ? table : nullptr;
}

bool has_header(EditedLines& lines, const toml::node& node) {
  const std::string& line = lines.at(node.source().begin.line);
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string::npos && line[first] == '[';
}

void remove(EditedLines& lines, const toml::node& node) {
  const toml::table* table = table_of_lines(node);
  if (!table) return lines.remove(node.source().begin.line, node.source().end.line);
  if (has_header(lines, node)) lines.remove(node.source().begin.line, node.source().begin.line);
  for (const auto& [key, child] : *table) remove(lines, child);
}

// The last line of what stands in the table itself, not below a header of its own.
Line last_line(EditedLines& lines, const toml::table& table, Line so_far) {
  for (const auto& [key, child] : table) {
    const toml::table* inner = table_of_lines(child);
    if (!inner)
      so_far = std::max(so_far, child.source().end.line);
    else if (!has_header(lines, child))
      so_far = last_line(lines, *inner, so_far);
  }
  return so_far;
}

std::string identified_lines(const RobotSpec& robot, int joint) {
  const auto parameters = robot.robot.link(joint).parameters();
  std::vector<std::string> inertia;
  for (int kind = 0; kind < kInertialParameters; ++kind)
    inertia.push_back(
        fmt::format("{} = {:.10g}", kRobotParameterKinds[static_cast<std::size_t>(kind)].symbol, parameters[kind]));
  const RobotJoint& own = robot.joints[static_cast<std::size_t>(joint)];
  const FrictionOfJoint& friction = own.friction;
  std::string text = fmt::format("inertia = {{ {} }}\n", fmt::join(inertia, ", "));
  if (!robot.torque_sensors) text += fmt::format("actuator_inertia = {:.10g}\n", robot.robot.actuator_inertia()[joint]);
  text += fmt::format("friction = {{ viscous = {:.10g}, coulomb = {:.10g}, offset = {:.10g}, asymmetry = {:.10g}",
                      friction.viscous, friction.coulomb, friction.offset, friction.asymmetry);
  if (robot.terms.excess()) text += fmt::format(", excess = {:.10g}, decay = {:.10g}", friction.excess, friction.decay);
  if (robot.terms.memory()) text += fmt::format(", reach = {:.10g}", friction.reach);
  if (friction.load > 0.0) text += fmt::format(", load = {:.10g}", friction.load);
  return text + fmt::format(" }}\nresidual = {:.4g}\n", own.residual);
}

// The joint's own table; null where the study leaves it to the URDF.
const toml::table* find_joint(const toml::array* list, const RobotSpec& robot, int joint) {
  if (!list) return nullptr;
  if (robot.urdf.empty()) return list->get_as<toml::table>(static_cast<std::size_t>(joint));
  for (const auto& entry : *list) {
    const toml::table* table = entry.as_table();
    if (table && (*table)["name"].value_or(std::string()) == robot.joints[static_cast<std::size_t>(joint)].name)
      return table;
  }
  return nullptr;
}

void rename_urdf(EditedLines& lines, const toml::node& urdf, const std::string& name) {
  std::string& line = lines.at(urdf.source().begin.line);
  const std::size_t open = line.find_first_of("\"'", line.find('=')), close = line.find(line[open], open + 1);
  line.replace(open, close - open + 1, fmt::format("\"{}\"", name));
}

}  // namespace

std::string study_with_robot(const std::string& text, const std::string& source, const RobotSpec& robot,
                             const std::string& urdf) {
  const toml::table root = toml::parse(text, source);
  EditedLines lines(text);
  const toml::array* list = root["robot"]["joint"].as_array();
  for (int i = 0; i < robot.count(); ++i) {
    const toml::table* table = find_joint(list, robot, i);
    if (!table) {
      lines.append(fmt::format("\n[[robot.joint]]\nname = \"{}\"\n{}", robot.joints[static_cast<std::size_t>(i)].name,
                               identified_lines(robot, i)));
      continue;
    }
    if (table->is_inline())
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}:{}: joints in one line cannot be written back: list each as [[robot.joint]]", source,
                              table->source().begin.line));
    for (const char* key : {"inertia", "actuator_inertia", "friction", "residual"})
      if (const toml::node* node = table->get(key)) remove(lines, *node);
    lines.insert_after(last_line(lines, *table, table->source().begin.line), identified_lines(robot, i));
  }
  if (const toml::node* node = root["robot"]["urdf"].node(); node && !urdf.empty()) rename_urdf(lines, *node, urdf);
  return lines.text();
}

}  // namespace tauhat
