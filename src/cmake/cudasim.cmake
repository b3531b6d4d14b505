# The CUDA backend on the simulator: the same .cu files, compiled by the host compiler, beside the simulator's runtime.

if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/src/cudasim/flags.json OR NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/src/backend_cuda/device.cu)
  return()
endif()
if(NOT cuda_sim IN_LIST BACKENDS)
  needle_not_built(cuda_sim "not asked for")
  return()
endif()
if(SAN)
  needle_not_built(cuda_sim "its stack switches and address space are not for AddressSanitizer")
  return()
endif()

set(compile_cudasim ${Python_EXECUTABLE} -E -s ${CMAKE_CURRENT_SOURCE_DIR}/src/cmake/compile_cudasim.py)
function(needle_cudasim_flags result stage)
  execute_process(COMMAND ${compile_cudasim} flags ${CMAKE_CXX_COMPILER} ${stage} OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" flags "${flags}")
  set(${result} ${flags} PARENT_SCOPE)
endfunction()
# The flags are read when CMake runs, so a change of their table runs it again.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS src/cudasim/flags.json)

needle_cudasim_flags(runtime_flags runtime)
needle_cudasim_flags(runtime_link_flags runtime_link)
file(GLOB runtime CONFIGURE_DEPENDS src/cudasim/runtime/*.cc)
add_library(cudasim SHARED ${runtime})
# Two units instead of one per file, each of which would read the standard library's headers again.
set_target_properties(cudasim PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20)
# A few large units: the headers are most of each file's time (28 s of processor time as single files, 12 s so).
set_target_properties(cudasim PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
target_include_directories(cudasim PRIVATE src/cudasim/include)
target_compile_options(cudasim PRIVATE ${runtime_flags})
target_link_libraries(cudasim PRIVATE ${runtime_link_flags})
needle_install(cudasim)

file(GLOB kernel_files CONFIGURE_DEPENDS src/backend_cuda/*.cu)
file(GLOB_RECURSE cudasim_headers CONFIGURE_DEPENDS src/cudasim/include/*)
file(GLOB translator CONFIGURE_DEPENDS python/needle/cudasim/*.py)
set(kernel_objects "")
foreach(file ${kernel_files})
  get_filename_component(family ${file} NAME_WE)
  set(object ${CMAKE_BINARY_DIR}/cuda_sim/${family}.o)
  set(launcher "")
  if(KEEP_GOING AND NOT family STREQUAL device)
    set(launcher ${Python_EXECUTABLE} -I -S ${CMAKE_CURRENT_SOURCE_DIR}/src/cmake/compile_kernel.py
      ${CMAKE_BINARY_DIR}/failed cuda_sim)
  endif()
  add_custom_command(OUTPUT ${object} DEPFILE ${object}.d
    COMMAND ${launcher} ${compile_cudasim} plain ${CMAKE_CXX_COMPILER} -fmacro-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/=
      -MF ${object}.d -o ${object} -c ${file}
    DEPENDS ${file} ${translator} src/cudasim/flags.json src/cmake/compile_cudasim.py
    COMMENT "Building ${family}.cu for the simulator" VERBATIM)
  list(APPEND kernel_objects ${object})
endforeach()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/cuda_sim)

needle_backend(cuda_sim LANGUAGE CXX FOLDER src/backend_cuda OBJECTS ${kernel_objects} LIBRARIES cudasim)
# The runtime lies beside the module, in the build folder and in the package.
set_target_properties(ndarray_backend_cuda_sim PROPERTIES BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")

if(NOT SKBUILD_STATE STREQUAL editable)  # an installed package compiles .cu files too
  install(DIRECTORY src/cudasim/include src/cudasim/runtime DESTINATION needle/cudasim/runtime_files)
  install(FILES src/cudasim/flags.json DESTINATION needle/cudasim/runtime_files)
endif()
