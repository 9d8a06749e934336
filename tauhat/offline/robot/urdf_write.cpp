#include "tauhat/offline/robot/urdf_write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

// Where something stands in the text.
struct Span {
  std::size_t begin = 0, end = 0;
};

struct Tag {
  Span span;
  std::string_view name;
  bool closes = false, is_whole = false;  // </link>, <link/>
};

// One tag after the other; comments, declarations and character data are passed over. The text is known to be XML.
class Tags {
 public:
  explicit Tags(std::string_view text) : text_(text) {}

  std::optional<Tag> next() {
    for (at_ = text_.find('<', at_); at_ < text_.size(); at_ = text_.find('<', at_)) {
      if (pass("<!--", "-->") || pass("<![CDATA[", "]]>") || pass("<?", "?>") || pass("<!", ">")) continue;
      return read();
    }
    return std::nullopt;
  }

 private:
  bool pass(std::string_view opening, std::string_view closing) {
    if (text_.substr(at_, opening.size()) != opening) return false;
    const std::size_t end = text_.find(closing, at_ + opening.size());
    at_ = end == std::string_view::npos ? text_.size() : end + closing.size();
    return true;
  }

  Tag read() {
    Tag tag;
    tag.span.begin = at_;
    // A '>' may stand between quotes.
    for (char quote = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '>') {
        break;
      }
    }
    tag.span.end = ++at_;
    tag.closes = text_[tag.span.begin + 1] == '/';
    tag.is_whole = text_[tag.span.end - 2] == '/';
    const std::size_t name = tag.span.begin + (tag.closes ? 2 : 1);
    tag.name = text_.substr(name, text_.find_first_of(" \t\r\n/>", name) - name);
    return tag;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string attribute(std::string_view tag, std::string_view name) {
  for (std::size_t at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    std::size_t equals = tag.find_first_not_of(" \t\r\n", at + name.size());
    if (std::string_view(" \t\r\n").find(tag[at - 1]) == std::string_view::npos || tag[equals] != '=') continue;
    const std::size_t quote = tag.find_first_of("\"'", equals);
    return std::string(tag.substr(quote + 1, tag.find(tag[quote], quote + 1) - quote - 1));
  }
  return "";
}

// A <link> or <joint> of the robot, and the child of it that is to be replaced.
struct Element {
  std::string name;
  Tag opening;
  std::optional<Span> child;
};

std::vector<Element> elements_of(std::string_view text, std::string_view kind, std::string_view child) {
  std::vector<Element> found;
  std::vector<Tag> open;
  Tags tags(text);
  while (const auto tag = tags.next()) {
    // robot / link / inertial
    const auto is_child = [&] { return open.size() == 2 && open.back().name == kind && tag->name == child; };
    if (tag->closes) {
      if (open.empty()) break;
      const Tag closed = open.back();
      open.pop_back();
      if (is_child()) found.back().child = Span{closed.span.begin, tag->span.end};
      continue;
    }
    if (open.size() == 1 && tag->name == kind) {
      const std::string_view whole = text.substr(tag->span.begin, tag->span.end - tag->span.begin);
      found.push_back({attribute(whole, "name"), *tag, std::nullopt});
    }
    if (tag->is_whole) {
      if (is_child()) found.back().child = tag->span;
    } else {
      open.push_back(*tag);
    }
  }
  return found;
}

struct Edit {
  Span span;
  std::string by;
};

Edit replaced(const Element& element, std::string_view kind, const std::string& by) {
  if (element.child) return {*element.child, by};
  if (!element.opening.is_whole) return {{element.opening.span.end, element.opening.span.end}, "\n    " + by};
  // <link name="a"/> gets an inside.
  const std::size_t slash = element.opening.span.end - 2;
  return {{slash, element.opening.span.end}, fmt::format(">\n    {}\n  </{}>", by, kind)};
}

std::string inertial_text(const LinkInertia<double>& link) {
  const Vector<double, 3> c = link.first_moment / link.mass;
  Matrix<double, 3> j = link.placed({Matrix<double, 3>::Identity(), -c}).moment;
  const double round_off = 1e-14 * j.trace();
  j = (j.array().abs() > round_off).select(j, 0.0);
  return fmt::format(
      "<inertial>\n      <origin xyz=\"{:.9g} {:.9g} {:.9g}\" rpy=\"0 0 0\"/>\n      <mass value=\"{:.9g}\"/>\n"
      "      <inertia ixx=\"{:.9g}\" ixy=\"{:.9g}\" ixz=\"{:.9g}\" iyy=\"{:.9g}\" iyz=\"{:.9g}\" izz=\"{:.9g}\"/>\n"
      "    </inertial>",
      c[0], c[1], c[2], link.mass, j(0, 0), j(0, 1), j(0, 2), j(1, 1), j(1, 2), j(2, 2));
}

}  // namespace

std::string corrected_urdf(const std::string& text, const std::string& source, const RobotDescription& robot) {
  const std::vector<Element> links = elements_of(text, "link", "inertial"),
                             joints = elements_of(text, "joint", "dynamics");
  const auto find = [&](const std::vector<Element>& all, const char* kind, const std::string& name) -> const Element& {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Element& e) { return e.name == name; });
    if (found != all.end()) return *found;
    throw Error(ExitCode::wrong_use, fmt::format("{}: has no {} \"{}\" to write to", source, kind, name));
  };
  std::vector<Edit> edits;
  for (int i = 0; i < robot.robot.joints(); ++i) {
    const RobotJoint& joint = robot.joints[static_cast<std::size_t>(i)];
    const LinkInertia<double>& body = robot.robot.link(i);
    const FrictionOfJoint& friction = joint.friction;
    if (friction.viscous != 0.0 || friction.coulomb != 0.0)
      edits.push_back(replaced(
          find(joints, "joint", joint.name), "joint",
          fmt::format("<dynamics damping=\"{:.9g}\" friction=\"{:.9g}\"/>", friction.viscous, friction.coulomb)));
    if (!(body.mass > 0.0)) continue;
    edits.push_back(replaced(find(links, "link", joint.link), "link", inertial_text(body)));
    for (const NamedFrame& frame : robot.frames) {
      if (frame.link != i || frame.name == joint.link) continue;
      const auto fixed =
          std::find_if(links.begin(), links.end(), [&](const Element& e) { return e.name == frame.name; });
      // A frame of the study is no link.
      if (fixed != links.end() && fixed->child)
        edits.push_back({*fixed->child, fmt::format("<!-- its inertia is part of {} -->", joint.link)});
    }
  }
  // From the end, so that the places of those before stay true.
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.span.begin > b.span.begin; });
  std::string result = text;
  for (const Edit& edit : edits) result.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.by);
  return result;
}

std::vector<Diagnostic> diagnose_urdf(const RobotSpec& robot) {
  std::vector<std::string> names;
  for (int j = 0; j < robot.count(); ++j) {
    const RobotJoint& joint = robot.joints[static_cast<std::size_t>(j)];
    const FrictionOfJoint& friction = joint.friction;
    if (robot.robot.actuator_inertia()[j] != 0.0 || friction.offset != 0.0 || friction.asymmetry != 0.0 ||
        friction.excess != 0.0 || friction.reach != 0.0 || friction.load != 0.0)
      names.push_back(joint.name);
  }
  if (names.empty()) return {};
  return {{"urdf.incomplete", Severity::info,
           fmt::format("A URDF has no place for actuators' inertias, nor for friction beside viscous and Coulomb's: "
                       "those of {} are in what --study writes.",
                       fmt::join(names, ", "))}};
}

}  // namespace tauhat
