// The CUDA runtime for a plain host compiler: what a .cu file sees when the simulator builds it. ABI.md says what the
// translator writes against these headers.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <cmath>

#define __CUDACC__ 1
#define __CUDASIM__ 1
#define CUDART_VERSION 12000

#ifndef CUDASIM_PREPROCESSING
#include "cudasim/qualifiers.h"
#endif
#include "cudasim/atomics.h"
#include "cudasim/builtins.h"
#include "cudasim/device.h"
#include "cudasim/errors.h"
#include "cudasim/launch.h"
#include "cudasim/math.h"
#include "cudasim/memory.h"
#include "cudasim/print_assert.h"
#include "cudasim/shared.h"
#include "cudasim/sync.h"
#include "cudasim/types.h"
