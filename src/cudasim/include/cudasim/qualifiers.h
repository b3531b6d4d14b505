// CUDA's qualifiers, defined away: after translation they say nothing a host compiler needs.
// Not included while the translator preprocesses (CUDASIM_PREPROCESSING): it must see them.
#pragma once

#define __global__
#define __device__
#define __host__
#define __shared__  // only where the translator left one: a namespace-scope or header declaration
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
