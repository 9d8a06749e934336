#include "tauhat/offline/robot/urdf.hpp"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <set>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/spelling.hpp"
#include "tauhat/offline/unreadable.hpp"

namespace tauhat {
namespace {

// urdfdom says what is wrong on a console of its own, which all of the process share.
class HeardErrors : public console_bridge::OutputHandler {
 public:
  HeardErrors() { console_bridge::useOutputHandler(this); }
  ~HeardErrors() override { console_bridge::restorePreviousOutputHandler(); }
  HeardErrors(const HeardErrors&) = delete;
  HeardErrors& operator=(const HeardErrors&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char* /*file*/, int /*line*/) override {
    if (level < console_bridge::CONSOLE_BRIDGE_LOG_ERROR) return;
    sentences_ += (sentences_.empty() ? "" : "; ") + text.substr(0, text.find_last_not_of(" \n.") + 1);
  }
  const std::string& sentences() const noexcept { return sentences_; }

 private:
  std::string sentences_;
};

Placement<double> placement_of(const urdf::Pose& pose) {
  const urdf::Rotation& r = pose.rotation;
  const Eigen::Quaterniond turn(r.w, r.x, r.y, r.z);
  return {turn.normalized().toRotationMatrix(), {pose.position.x, pose.position.y, pose.position.z}};
}

// Zero and what is not given mean that nobody knows.
double limit_or_none(double limit) { return limit > 0.0 ? limit : JointLimits::kNone; }

[[noreturn]] void refuse(const std::string& source, const std::string& what) {
  throw Error(ExitCode::wrong_use, fmt::format("{}: {}", source, what));
}

JointLimits limits_of(const urdf::Joint& joint, const std::string& source) {
  JointLimits limits;
  if (!joint.limits) return limits;
  if (joint.type != urdf::Joint::CONTINUOUS) limits.lower = joint.limits->lower, limits.upper = joint.limits->upper;
  if (limits.lower > limits.upper)
    refuse(source, fmt::format("joint \"{}\": <limit> lower = {:g} is above upper = {:g}", joint.name, limits.lower,
                               limits.upper));
  limits.velocity = limit_or_none(joint.limits->velocity);
  limits.torque = limit_or_none(joint.limits->effort);
  return limits;
}

LinkInertia<double> inertia_of(const urdf::Link& link) {
  if (!link.inertial) return {};
  const urdf::Inertial& in = *link.inertial;
  Matrix<double, 3> moment;
  moment << in.ixx, in.ixy, in.ixz, in.ixy, in.iyy, in.iyz, in.ixz, in.iyz, in.izz;
  return LinkInertia<double>::from_centre_of_mass(in.mass, placement_of(in.origin), moment);
}

// A body whose mass or inertia is no finite number urdfdom leaves out without a word.
void refuse_inertias_without_numbers(const TiXmlElement& robot, const std::string& source) {
  for (const auto* link = robot.FirstChildElement("link"); link != nullptr; link = link->NextSiblingElement("link")) {
    const TiXmlElement* inertial = link->FirstChildElement("inertial");
    if (inertial == nullptr) continue;
    for (const auto* element = inertial->FirstChildElement(); element != nullptr;
         element = element->NextSiblingElement()) {
      if (element->ValueStr() == "origin") continue;  // three numbers each, which urdfdom refuses
      for (const auto* number = element->FirstAttribute(); number != nullptr; number = number->Next()) {
        double value = 0.0;
        if (number->QueryDoubleValue(&value) == TIXML_SUCCESS && std::isfinite(value)) continue;
        throw Error(ExitCode::wrong_use,
                    fmt::format("{}:{}: link \"{}\": <{}> {} = \"{}\": must be a finite number", source, element->Row(),
                                link->Attribute("name") != nullptr ? link->Attribute("name") : "", element->ValueStr(),
                                number->NameTStr(), number->ValueStr()));
      }
    }
  }
}

// The link that a joint's <parent> or <child> names; nothing where it does not, which urdfdom refuses.
std::string link_named_by(const TiXmlElement& joint, const char* end) {
  const TiXmlElement* element = joint.FirstChildElement(end);
  const char* name = element != nullptr ? element->Attribute("link") : nullptr;
  return name != nullptr ? name : "";
}

// Of a link that two joints carry urdfdom takes the joint it reads last, and links in a ring it never frees: both are
// refused before it sees them.
void refuse_loops(const TiXmlElement& robot, const std::string& source) {
  struct Carrier {
    std::string joint, parent;
  };
  std::map<std::string, Carrier> carrier;
  for (const auto* joint = robot.FirstChildElement("joint"); joint != nullptr;
       joint = joint->NextSiblingElement("joint")) {
    const char* name = joint->Attribute("name");
    const std::string child = link_named_by(*joint, "child");
    if (name == nullptr || child.empty()) continue;
    const auto [other, is_new] = carrier.emplace(child, Carrier{name, link_named_by(*joint, "parent")});
    if (!is_new)
      refuse(source, fmt::format("link \"{}\" is carried by joint \"{}\" and by joint \"{}\": a loop; only open chains "
                                 "and trees can be computed",
                                 child, other->second.joint, name));
  }
  for (const auto& [link, first] : carrier) {
    auto below = carrier.find(first.parent);
    for (std::size_t steps = 1; below != carrier.end() && steps <= carrier.size(); ++steps) {
      if (below->first == link)
        refuse(source,
               fmt::format("link \"{}\" is carried by joint \"{}\", and in the end by itself: a loop; only open "
                           "chains and trees can be computed",
                           link, first.joint));
      below = carrier.find(below->second.parent);
    }
  }
}

void refuse_what_urdfdom_would_not(const std::string& text, const std::string& source) {
  TiXmlDocument document;
  document.Parse(text.c_str());
  if (document.Error())
    throw Error(ExitCode::wrong_use,
                fmt::format("{}:{}: is not XML: {}", source, document.ErrorRow(), document.ErrorDesc()));
  const TiXmlElement* root = document.RootElement();
  if (root == nullptr || root->ValueStr() != "robot") refuse(source, "is not a URDF: it has no <robot>");
  if (text.find("<xacro:") != std::string::npos)
    refuse(source, fmt::format("holds xacro macros; expand them first: xacro {} > robot.urdf", source));
  refuse_loops(*root, source);
  refuse_inertias_without_numbers(*root, source);
}

class TreeReader {
 public:
  TreeReader(const urdf::ModelInterface& model, const std::string& source, const std::string& tip)
      : model_(model), source_(source) {
    follow(tip);
  }

  RobotDescription read() {
    visit(*model_.getRoot(), kBase, Placement<double>{});
    if (moving_.empty()) refuse("has no joint that moves");
    if (moving_.size() > static_cast<std::size_t>(kMaxJoints)) {
      refuse(
          fmt::format("has {} joints that move, and {} are the most: give the link at the end of the arm as tip, "
                      "and the joints that do not lead to it are held at zero",
                      moving_.size(), kMaxJoints));
    }
    description_.robot = Robot<double>(static_cast<int>(moving_.size()));
    for (int i = 0; i < description_.robot.joints(); ++i) {
      description_.robot.set_joint(i, moving_[static_cast<std::size_t>(i)].joint);
      description_.robot.set_link(i, moving_[static_cast<std::size_t>(i)].body);
    }
    return std::move(description_);
  }

 private:
  struct Moving {
    Joint<double> joint;
    LinkInertia<double> body;
  };

  [[noreturn]] void refuse(const std::string& what) const { tauhat::refuse(source_, what); }

  // Which joints lead to the tip; all where there is none.
  void follow(const std::string& tip) {
    has_tip_ = !tip.empty();
    if (!has_tip_) return;
    const auto found = model_.links_.find(tip);
    if (found == model_.links_.end()) {
      std::vector<std::string> names;
      for (const auto& [name, link] : model_.links_) names.push_back(name);
      const std::string nearest = nearest_name(tip, names);
      refuse(fmt::format("has no link \"{}\" for the tip; {}", tip,
                         nearest.empty() ? fmt::format("its links are {}", fmt::join(names, ", "))
                                         : fmt::format("did you mean \"{}\"?", nearest)));
    }
    for (urdf::LinkSharedPtr link = found->second; link->parent_joint; link = link->getParent())
      leading_.insert(link->parent_joint->name);
  }

  bool moves(const urdf::Joint& joint) const {
    if (joint.type == urdf::Joint::FIXED || (has_tip_ && !leading_.contains(joint.name))) return false;
    if (joint.mimic)
      refuse(
          fmt::format("joint \"{}\" mimics \"{}\": it is no joint of its own; give a tip before it, and it is held "
                      "at zero",
                      joint.name, joint.mimic->joint_name));
    switch (joint.type) {
      case urdf::Joint::REVOLUTE:
      case urdf::Joint::CONTINUOUS:
      case urdf::Joint::PRISMATIC:
        return true;
      case urdf::Joint::FLOATING:
        refuse(fmt::format("joint \"{}\" is floating: only robots on a fixed base can be computed", joint.name));
      case urdf::Joint::PLANAR:
        refuse(fmt::format("joint \"{}\" is planar; write it as two prismatic joints and a revolute one", joint.name));
      default:
        refuse(fmt::format("joint \"{}\" has no type", joint.name));
    }
  }

  // The link, which is fixed to moving link `carrier` at `place`, and all behind it.
  void visit(const urdf::Link& link, int carrier, const Placement<double>& place) {
    description_.frames.push_back({link.name, carrier, place});
    if (carrier != kBase) moving_[static_cast<std::size_t>(carrier)].body += inertia_of(link).placed(place);
    for (const urdf::JointSharedPtr& joint : link.child_joints) {
      const Placement<double> origin = place * placement_of(joint->parent_to_joint_origin_transform);
      const urdf::Link& child = *model_.links_.at(joint->child_link_name);
      if (moves(*joint)) {
        add_joint(*joint, carrier, origin);
        visit(child, static_cast<int>(moving_.size()) - 1, Placement<double>{});
      } else {
        visit(child, carrier, origin);
      }
    }
  }

  void add_joint(const urdf::Joint& joint, int carrier, const Placement<double>& origin) {
    const Vector<double, 3> axis(joint.axis.x, joint.axis.y, joint.axis.z);
    if (!(axis.norm() > 1e-6)) refuse(fmt::format("joint \"{}\" has an axis of length zero", joint.name));
    const auto type = joint.type == urdf::Joint::PRISMATIC ? JointType::prismatic : JointType::revolute;
    moving_.push_back({Joint<double>(carrier, type, origin, axis.normalized()), {}});
    RobotJoint named{joint.name, joint.child_link_name, limits_of(joint, source_), {}};
    if (joint.dynamics) named.friction = {joint.dynamics->damping, joint.dynamics->friction, 0.0};
    description_.joints.push_back(std::move(named));
  }

  const urdf::ModelInterface& model_;
  std::string source_;
  bool has_tip_ = false;
  std::set<std::string> leading_;
  std::vector<Moving> moving_;
  RobotDescription description_;
};

}  // namespace

RobotDescription parse_urdf(const std::string& text, const std::string& source, const std::string& tip) {
  refuse_what_urdfdom_would_not(text, source);
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const HeardErrors heard;
  const urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(text);
  if (!model || !model->getRoot())
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: is not a URDF that describes a tree of links: {}", source, heard.sentences()));
  return TreeReader(*model, source, tip).read();
}

std::string read_urdf_text(const std::string& path) {
  require_readable(path, ExitCode::wrong_use);
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace tauhat
