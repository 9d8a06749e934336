// What a study says of a robot, before any log.
#include <fmt/format.h>

#include "tauhat/offline/robot/robot_identification.hpp"
#include "tauhat/offline/robot/robot_report.hpp"

namespace tauhat {

void note_inertias(const RobotSpec& robot, std::vector<Diagnostic>& diagnostics) {
  for (const InertiaFault& fault : inertia_faults(robot))
    diagnostics.push_back({"inertia.missing", Severity::info, fmt::format("{} {}.", fault.link, fault.what)});
}

Report describe_robot(const Study& study) {
  const RobotIdentification identification(*study.robot);
  const RobotSpec& robot = *study.robot;
  Report report;
  report.command = "describe";
  report.title = fmt::format("Robot of {}", study.source);
  double mass = 0.0;
  for (int i = 0; i < robot.count(); ++i) mass += robot.robot.link(i).mass;
  report.headline = fmt::format("{} joints, {:.4g} kg that move, {} base parameters.", robot.count(), mass,
                                identification.base().count());
  report.results = {{.name = "robot.mass", .value = mass, .unit = "kg"},
                    {.name = "base.rank", .value = static_cast<double>(identification.base().count()), .unit = "1"}};
  Section section{"Robot", report.headline, {}, {}};
  Table joints{"joints", {"name", "type, parent, ratio"}, {}}, frames{"frames", {"name", "fixed to"}, {}},
      groups{"base parameters", {"name", "grouping"}, {}};
  const auto link_name = [&](int link) {
    return link == kBase ? std::string("the base") : robot.joints[static_cast<std::size_t>(link)].link;
  };
  for (int i = 0; i < robot.count(); ++i)
    joints.rows.push_back(
        {robot.joints[static_cast<std::size_t>(i)].name,
         fmt::format("{} on {}, ratio {:g}", robot.robot.joint(i).is_revolute() ? "revolute" : "prismatic",
                     link_name(robot.robot.parent(i)), robot.robot.transmission().ratio()[i])});
  for (const NamedFrame& frame : robot.frames) frames.rows.push_back({frame.name, link_name(frame.link)});
  for (int k = 0; k < identification.base().count(); ++k)
    groups.rows.push_back(
        {identification.result_name(k), grouping_text(identification.columns(), identification.base(), k)});
  section.tables = {std::move(joints), std::move(frames), std::move(groups)};
  report.sections.push_back(std::move(section));
  note_inertias(robot, report.diagnostics);
  return report;
}

}  // namespace tauhat
