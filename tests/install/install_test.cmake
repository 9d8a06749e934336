# cmake -D build=... -D consumer=... -D readme=... -D work=... -D compiler=... -D version=... -P install_test.cmake
file(REMOVE_RECURSE "${work}")

function(must what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed (${code}):\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

# The README's program, as it stands there.
file(READ "${readme}" text)
string(REGEX MATCH "```cpp\n([^`]*)```" found "${text}")
file(WRITE "${work}/readme.cpp" "${CMAKE_MATCH_1}")

must("installing" ${CMAKE_COMMAND} --install "${build}" --prefix "${work}/prefix")
must("configuring the consumer" ${CMAKE_COMMAND} -G Ninja -S "${consumer}" -B "${work}/consumer"
     -D "CMAKE_PREFIX_PATH=${work}/prefix" -D "CMAKE_CXX_COMPILER=${compiler}" -D "wanted_version=${version}"
     -D "readme_program=${work}/readme.cpp")
must("building the consumer" ${CMAKE_COMMAND} --build "${work}/consumer")
must("running the consumer" "${work}/consumer/consumer")
# 0.5 N m * (2 / pi) * atan(1) = 0.25 N m
if(NOT text STREQUAL "0.25 N m\n")
  message(FATAL_ERROR "the consumer printed \"${text}\", expected \"0.25 N m\"")
endif()
must("running the README's program" "${work}/consumer/readme")
# The motor takes 8e-4 kg m^2 * 20 rad/s^2 = 0.016 N m; the rest of 0.1 N m goes to the load.
if(NOT text MATCHES "^0\\.08[0-9] N m \\+- 0\\.0[0-9]+\n$")
  message(FATAL_ERROR "the README's program printed \"${text}\", expected about 0.084 N m")
endif()
