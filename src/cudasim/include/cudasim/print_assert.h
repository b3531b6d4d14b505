// printf, assert, clocks and traps in kernels.
#pragma once

#include <stdio.h>

#include "compiler.h"
#include "runtime.h"

static inline long long clock64() { return cudasim_clock_ns(); }
CUDASIM_CALL void __trap() { cudasim_trap(CUDASIM_CALLER); }
static inline void __nanosleep(unsigned) {}
static inline void __prof_trigger(int) {}

#include <assert.h>  // ours: a failed assertion is a finding in a kernel and an exception on the host
