// Named so that the compiler says it at the line that includes it.
#error "cudasim: bfloat16 (cuda_bf16.h) is not supported by the simulator"
