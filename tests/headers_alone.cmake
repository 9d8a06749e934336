# Every core header compiled alone, and twice in one file: it includes what it uses, and it has its guard.
#   cmake --build build/release --target core_headers_alone
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/tauhat/core/*.hpp")
set(sources "")
foreach(header IN LISTS headers)
  string(REGEX REPLACE "[/.]" "_" name "${header}")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/headers_alone/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
  list(APPEND sources "${source}")
endforeach()
add_library(core_headers_alone OBJECT EXCLUDE_FROM_ALL ${sources})
target_link_libraries(core_headers_alone PRIVATE tauhat_core tauhat_flags)
