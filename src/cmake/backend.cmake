# How a backend is built, in the same shape for every device.

add_library(needle_options INTERFACE)
target_include_directories(needle_options INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/src/common)
# __FILE__ is relative to the root, so that "compact.cpu is unfinished: src/backend_cpu/compact.cc:12" is the same everywhere.
target_compile_options(needle_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wno-unused-parameter -fmacro-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/=>)
if(SAN)
  target_compile_options(needle_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined>)
  target_link_options(needle_options INTERFACE -fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_link_options(needle_options INTERFACE -shared-libsan)  # Python is preloaded with the shared runtime
  endif()
else()
  target_compile_options(needle_options INTERFACE -O2)
endif()

# One line per backend for build_backends.py: NAME built FILE | NAME not-built WHY
set(NEEDLE_REPORT "")

function(needle_not_built name why)
  set(NEEDLE_REPORT "${NEEDLE_REPORT}${name}\tnot-built\t${why}\n" PARENT_SCOPE)
endfunction()

function(needle_write_report)
  # GENERATE, so that the file has the name that the linker will give the module (its suffix is the interpreter's).
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/backends.txt CONTENT "${NEEDLE_REPORT}")
endfunction()

# Where pip puts a module. An editable install is in place: into the package folder of the sources, as make does.
function(needle_install target)
  if(SKBUILD_STATE STREQUAL editable)
    add_custom_command(TARGET ${target} POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:${target}>
      ${CMAKE_CURRENT_SOURCE_DIR}/python/needle/backend_ndarray/ VERBATIM)
  else()
    install(TARGETS ${target} LIBRARY DESTINATION needle/backend_ndarray)
  endif()
endfunction()

# needle_backend(NAME LANGUAGE CXX|CUDA FOLDER dir [OBJECTS file...] [LIBRARIES target...])
# Makes the module ndarray_backend_NAME from: the folder's kernel files and device (or OBJECTS, compiled elsewhere), its
# module.cc, the bindings, the stubs and the hash of its sources.
function(needle_backend name)
  cmake_parse_arguments(ARG "" "LANGUAGE;FOLDER" "OBJECTS;LIBRARIES" ${ARGN})
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER})
  file(GLOB kernels CONFIGURE_DEPENDS ${folder}/*.cc ${folder}/*.cu)
  list(FILTER kernels EXCLUDE REGEX "/(device|module)\\.(cc|cu)$")
  file(GLOB entry CONFIGURE_DEPENDS ${folder}/module.cc ${folder}/device.cc ${folder}/device.cu)
  if(ARG_OBJECTS)
    set(kernels "")
    set(entry ${folder}/module.cc ${ARG_OBJECTS})
    set_source_files_properties(${ARG_OBJECTS} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  endif()

  set(module ndarray_backend_${name})
  set(hash ${CMAKE_BINARY_DIR}/${name}_source_hash.cc)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/common/*.h src/common/*.cc ${folder}/*.h ${folder}/*.cuh ${folder}/*.cc
    ${folder}/*.cu)
  if(name STREQUAL cuda_sim)
    file(GLOB_RECURSE more CONFIGURE_DEPENDS src/cudasim/*.h src/cudasim/*.cuh src/cudasim/*.cc src/cudasim/*.cpp)
    list(APPEND sources ${more})
  endif()
  add_custom_command(OUTPUT ${hash}
    COMMAND ${Python_EXECUTABLE} -I -S ${CMAKE_CURRENT_SOURCE_DIR}/src/cmake/write_source_hash.py
      ${CMAKE_CURRENT_SOURCE_DIR} ${name} ${hash}
    DEPENDS ${sources} src/cmake/write_source_hash.py python/needle/backend_ndarray/source_hash.py
    COMMENT "Hashing the sources of ${name}" VERBATIM)

  set(kernel_objects "")
  if(kernels)
    add_library(kernels_${name} OBJECT ${kernels})
    set(kernel_objects $<TARGET_OBJECTS:kernels_${name}>)
    target_link_libraries(kernels_${name} PRIVATE needle_options ${ARG_LIBRARIES})
    if(KEEP_GOING)
      set_target_properties(kernels_${name} PROPERTIES ${ARG_LANGUAGE}_COMPILER_LAUNCHER
        "${Python_EXECUTABLE};-I;-S;${CMAKE_CURRENT_SOURCE_DIR}/src/cmake/compile_kernel.py;${CMAKE_BINARY_DIR}/failed;${name}")
    endif()
  endif()

  # No LTO: it makes every relink as slow as a full build, and the time is spent in kernels, not in bindings.
  pybind11_add_module(${module} MODULE NO_EXTRAS ${entry} ${hash} src/common/stubs.cc
    ${kernel_objects} $<TARGET_OBJECTS:bindings>)
  target_link_libraries(${module} PRIVATE needle_options ${ARG_LIBRARIES})
  needle_install(${module})
  set(NEEDLE_REPORT "${NEEDLE_REPORT}${name}\tbuilt\t$<TARGET_FILE:${module}>\n" PARENT_SCOPE)
endfunction()
