# Flags that every target of the project shares: the standard, the warnings, the vector width, the compiler cache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# Release keeps full optimisation; NDEBUG drops Eigen's index checks in the loop.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

# A second clone finds what the first one compiled.
find_program(CCACHE ccache)
if(CCACHE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${PROJECT_SOURCE_DIR}/cmake/compile.sh" "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
endif()

# Vector code needs its flags. They are used where this machine can run them, and left out where it cannot.
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_FLAGS "-march=x86-64-v3")
check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
                      TAUHAT_MACHINE_HAS_V3)
unset(CMAKE_REQUIRED_FLAGS)

add_library(tauhat_flags INTERFACE)
target_compile_options(tauhat_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlaps and overflows in std::string's operator+ that are not there (GCC bugs 105329, 105651).
  target_compile_options(tauhat_flags INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Fewer collections of the compiler's garbage: a seventh of the time, for some hundred megabytes.
  target_compile_options(tauhat_flags INTERFACE "SHELL:--param ggc-min-expand=200" "SHELL:--param ggc-min-heapsize=500000")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  # C++17's matching of template template arguments, which these versions leave out unless told.
  target_compile_options(tauhat_flags INTERFACE -frelaxed-template-template-args)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # A precompiled header that depends on what it was made of, not on when.
  target_compile_options(tauhat_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
endif()
if(TAUHAT_MACHINE_HAS_V3)
  target_compile_options(tauhat_flags INTERFACE -march=x86-64-v3)
endif()
