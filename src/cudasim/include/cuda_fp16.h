// Named so that the compiler says it at the line that includes it.
#error "cudasim: half precision (cuda_fp16.h) is not supported by the simulator"
