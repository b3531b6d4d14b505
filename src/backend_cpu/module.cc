#include "../common/module.h"

NEEDLE_MODULE(ndarray_backend_cpu)
