#include "tauhat/offline/log/formats/hdf5_rehearsal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

constexpr rlim_t kMostSeconds = 10;  // of processor time

// A crash is to end the child silently, whatever the program does with its own.
void make_silent() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0}, time{kMostSeconds, kMostSeconds};
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_CPU, &time);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
}

[[noreturn]] void rehearse_as_child(const std::function<void()>& reading) {
  make_silent();
  try {
    reading();
  } catch (const Error&) {  // it will be thrown again
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

}  // namespace

void rehearse_hdf5(const std::string& source, const std::function<void()>& reading) {
  const pid_t child = fork();
  if (child == 0) rehearse_as_child(reading);
  if (child < 0) return;  // no process to be had: the reading itself may still succeed
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const bool endless = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
  throw Error(ExitCode::unusable_data, fmt::format("{}: is damaged: the HDF5 library {} on it", source,
                                                   endless ? "does not come to an end" : "crashes"));
}

}  // namespace tauhat
