// Named so that the compiler says it at the line that includes it.
#error "cudasim: Thrust is not supported by the simulator"
