# Flags that every target of the project shares: the standard, the warnings, the vector width.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Release keeps full optimisation; NDEBUG drops Eigen's index checks in the loop.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Vector code needs its flags. They are used where this machine can run them, and left out where it cannot.
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_FLAGS "-march=x86-64-v3")
check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
                      TAUHAT_MACHINE_HAS_V3)
unset(CMAKE_REQUIRED_FLAGS)

add_library(tauhat_flags INTERFACE)
target_compile_options(tauhat_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror)
if(TAUHAT_MACHINE_HAS_V3)
  target_compile_options(tauhat_flags INTERFACE -march=x86-64-v3)
endif()
