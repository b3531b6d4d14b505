#include "../common/module.h"

NEEDLE_MODULE(ndarray_backend_cuda)
NEEDLE_MODULE(ndarray_backend_cuda_sim)  // the same files, linked with the simulator
