# Every core header compiled alone, and twice in one file: it includes what it uses, and it has its guard.
#   cmake --build build/release --target core_headers_alone
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/tauhat/core/*.hpp")
set(folder "${CMAKE_CURRENT_BINARY_DIR}/headers_alone")
set(sources "${folder}/all.cpp")
set(all "")
foreach(header IN LISTS headers)
  string(REGEX REPLACE "[/.]" "_" name "${header}")
  file(CONFIGURE OUTPUT "${folder}/${name}.cpp" CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
  list(APPEND sources "${folder}/${name}.cpp")
  string(APPEND all "#include \"${header}\"\n")
endforeach()
file(CONFIGURE OUTPUT "${folder}/all.cpp" CONTENT "${all}")  # all of the core at once, for clang-tidy
add_library(core_headers_alone OBJECT EXCLUDE_FROM_ALL ${sources})
target_link_libraries(core_headers_alone PRIVATE tauhat_core tauhat_flags)
