#include "tauhat/offline/simulate/integration.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

// A gear that rattles at its contact frequency passes a few corners in a sample; thousands mean a law or a
// step that makes no sense, and would never end.
constexpr std::size_t kMostContactsInAnInterval = 10000;

}  // namespace

Integration::Integration(const Truth& truth, std::vector<double> start)
    : truth_(truth), state_(std::move(start)), inputs_(static_cast<std::size_t>(truth.inputs), 0.0) {}

void Integration::note_contact() {
  contacts_.push_back(time_);
  if (contacts_.size() - contacts_before_ > kMostContactsInAnInterval) {
    fail(fmt::format("more than {} contacts in one sample", kMostContactsInAnInterval));
  }
}

void Integration::fail(std::string_view reason) const {
  std::string state;
  for (const double x : state_) state += fmt::format(" {:.6g}", x);
  throw Error(ExitCode::wrong_use,
              fmt::format("the simulation fails at t = {:.9g} s, state{}, input {:.6g}: {}; check the drive's "
                          "parameters, the start and the excitation",
                          time_, state, inputs_.front(), reason));
}

}  // namespace tauhat
