// Named so that the compiler says it at the line that includes it.
#error "cudasim: cooperative groups is not supported by the simulator; use __syncthreads, __syncwarp and the shuffles"
