// Named so that the compiler says it at the line that includes it.
#error "cudasim: tensor cores (mma.h) is not supported by the simulator"
