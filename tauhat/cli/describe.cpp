// tauhat describe: models, parameters, outputs, units, and a complete study to begin with.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "tauhat/cli/commands.hpp"
#include "tauhat/offline/study/keys.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat::cli {
namespace {

// `group` for a part whose owner names its group.
template <class T, class... Group>
void print_parameters(const T& owner, Group... group) {
  const auto print = [](const ParameterInfo& info, const double& value) {
    fmt::print("  {:<34} {:<10} default {:<8g} {}; {}\n", full_name(info), info.unit, value, info.meaning,
               allowed_text(info.range, info.unit));
  };
  T::visit_parameters(owner, print, group...);
}

template <class Law>
void print_law() {
  fmt::print("\ntransmission.law = \"{}\"\n", Law::kName);
  print_parameters(Law{});
}

void print_friction(const std::string& name) {
  fmt::print("\nmotor.friction.law = \"{}\"\n", name);
  AnyFriction<double> law;
  law.kind = friction_kind(name);
  print_parameters(law, "motor.friction");
}

void describe_two_mass() {
  fmt::print(
      "two-mass: motor and load joined by a transmission whose torque nobody measures\n\nparameters, in [drive]:\n");
  print_parameters(Drive{});
  for (const std::string& name : friction_names()) print_friction(name);
  print_law<DeadZone<double>>();
  print_law<SoftDeadZone<double>>();
  print_law<LinearSpring<double>>();
  print_law<StiffeningSpring<double>>();
  print_law<HystereticDeadZone<double>>();
  fmt::print("\ninput:\n  motor.torque                       N m\n\noutputs, and sensors in [log.channels]:\n");
  for (const Signal& output : Drive::kOutputs) fmt::print("  {:<34} {}\n", output.name, output.unit);
  fmt::print(
      "\nunknowns, in [[unknown]]:\n  signal = \"transmission.torque\", kind = \"random-walk\", intensity = \"auto\" "
      "or in N m/sqrt(s)\n"
      "  parameter = any of the above, kind = \"constant\", std = its uncertainty (30 % by default)\n");
}

ExitCode run(const std::string& model, bool as_study) {
  if (model.empty()) {
    fmt::print(
        "two-mass    motor and load joined by a transmission: backlash, stiffness, friction\n\n"
        "tauhat describe MODEL lists its parameters; tauhat describe MODEL --study prints a complete study.\n");
    return ExitCode::done;
  }
  if (model != "two-mass")
    throw Error(ExitCode::wrong_use, fmt::format("unknown model \"{}\"; there is two-mass", model));
  if (as_study) {
    fmt::print("{}", example_study());
  } else {
    describe_two_mass();
  }
  return ExitCode::done;
}

}  // namespace

void add_describe(CLI::App& app, Chosen& chosen) {
  struct Arguments {
    std::string model;
    bool as_study = false;
  };
  auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("describe", "models, parameters, outputs, units");
  command->footer("Example: tauhat describe two-mass --study > study.toml");
  command->add_option("MODEL", arguments->model, "a model's name; without it all are listed");
  command->add_flag("--study", arguments->as_study, "a complete study of the model");
  command->callback(
      [arguments, &chosen] { chosen = [arguments] { return run(arguments->model, arguments->as_study); }; });
}

}  // namespace tauhat::cli
