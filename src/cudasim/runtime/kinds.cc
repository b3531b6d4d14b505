// The words that belong to each kind of finding: its name, its weight, and what to do about it.
#include "findings.h"

namespace cudasim {

struct KindWords {
  Kind kind;
  const char* name;
  Severity severity;
  const char* advice;
};

static const KindWords kind_words[] = {
    {Kind::out_of_bounds, "out-of-bounds", Severity::fault,
     "Guard the access: compare the index with the number of elements before using it, and check how the index is "
     "computed."},
    {Kind::use_after_free, "use-after-free", Severity::fault,
     "Free the memory only after the last kernel or copy that uses it."},
    {Kind::race, "race", Severity::fault,
     "Within a block, put __syncthreads() between the two accesses; between blocks, give each element to one thread or "
     "use atomics."},
    {Kind::same_value_race, "same-value race", Severity::remark,
     "Every such write stored the value that was there already: usually a guard compares with the wrong size, so that "
     "several threads "
     "do the same work."},
    {Kind::uninitialised, "uninitialised", Severity::fault,
     "Write the element before reading it. cudaMalloc and __shared__ do not clear memory."},
    {Kind::uninitialised_unused, "uninitialised, unused", Severity::remark,
     "The value was thrown away, so the result is right; a guard around the read would say so."},
    {Kind::barrier_divergence, "barrier divergence", Severity::fault,
     "Move __syncthreads() out of the branch: all threads of a block must reach the same one."},
    {Kind::exit_before_barrier, "exit before a barrier", Severity::remark,
     "Let all threads reach __syncthreads(): guard the work, do not return early."},
    {Kind::deadlock, "deadlock", Severity::fault, "Every thread that a barrier or a warp mask names must get there."},
    {Kind::lane_not_in_mask, "lane not in mask", Severity::fault,
     "A lane may only call a warp function whose mask names it."},
    {Kind::inactive_lane, "inactive lane", Severity::fault,
     "Read only lanes that take part: pass a value for the missing ones, or stop at the number of threads there are."},
    {Kind::inactive_lane_unused, "inactive lane, unused", Severity::remark,
     "The value was thrown away, so the result is right."},
    {Kind::host_pointer, "host pointer", Severity::fault,
     "Copy the data to the device (cudaMalloc, cudaMemcpy) or pass it by value in a struct; a kernel cannot read host "
     "memory."},
    {Kind::null_pointer, "null pointer", Severity::fault,
     "Allocate the array before the launch and check what cudaMalloc returned."},
    {Kind::device_pointer_on_host, "device pointer on the host", Severity::fault,
     "Copy the data to the host with cudaMemcpy; host code cannot use a device pointer."},
    {Kind::constant_write, "constant written", Severity::fault,
     "Kernels cannot write __constant__ memory; use cudaMemcpyToSymbol on the host."},
    {Kind::misaligned, "misaligned", Severity::fault,
     "A vector type (float4, ...) needs an address that is a multiple of its size; use the scalar type where it is "
     "not."},
    {Kind::local_memory, "local memory", Severity::fault,
     "A thread cannot use another thread's local variables; use __shared__ memory."},
    {Kind::bad_launch, "bad launch", Severity::fault,
     "Change the launch configuration, and check cudaGetLastError() after a launch."},
    {Kind::thread_budget, "too many threads for the simulator", Severity::limit,
     "Launch one thread per element, not more; CUDASIM_MAX_THREADS raises the limit."},
    {Kind::shared_too_large, "too much shared memory", Severity::fault, "Use smaller tiles."},
    {Kind::unwritten_result, "unwritten result", Severity::fault, "Is the grid too small, or the guard too strict?"},
    {Kind::bad_copy, "bad copy", Severity::fault,
     "Check the size in bytes, the pointers and the direction of the copy."},
    {Kind::bad_free, "bad free", Severity::fault, "Free each pointer that cudaMalloc returned exactly once."},
    {Kind::assertion, "assertion", Severity::fault, "The kernel's own assert says what must hold."},
    {Kind::exception, "exception", Severity::fault, "Device code cannot throw."},
    {Kind::aborted, "abort", Severity::fault, "Device code cannot call abort()."},
    {Kind::integer_division, "integer division by zero", Severity::fault, "Check the divisor before dividing."},
    {Kind::stack_overflow, "stack overflow", Severity::fault, "Make local arrays smaller and recursion shallower."},
    {Kind::trap, "trap", Severity::fault, "The kernel ended itself with __trap()."},
};

static const KindWords& words(Kind kind) { return kind_words[(int)kind]; }

const char* kind_name(Kind kind) { return words(kind).name; }
Severity severity_of(Kind kind) { return words(kind).severity; }
const char* advice_for(Kind kind) { return words(kind).advice; }

const char* severity_name(Severity severity) {
  return severity == Severity::fault ? "fault" : severity == Severity::remark ? "remark" : "limit";
}

}  // namespace cudasim
