// The HDF5 library crashes or never ends on some damaged files. So it meets each file first in a process of its own,
// whose end tells whether the file can be read in this one.
#pragma once

#include <functional>
#include <string>

namespace tauhat {

// Runs `reading` in a child process; Errors that it throws are none of a rehearsal's. Throws Error (unusable_data) when
// the child crashes or takes longer than any good file.
void rehearse_hdf5(const std::string& source, const std::function<void()>& reading);

}  // namespace tauhat
