# libFuzzer is part of clang.
find_program(FUZZ_COMPILER NAMES clang++-16 clang++ REQUIRED)
set(CMAKE_CXX_COMPILER "${FUZZ_COMPILER}")
