// The rules of the border and their words: X(name, Python exception, text). rules.py has the same table for the NumPy
// backend, and a test holds the two equal. {fields} are filled in where a rule is broken (border.cc).
#pragma once

// clang-format off
#define NEEDLE_RULES(X)                                                                                                  \
  X(handle,          TypeError,   "{op}: {arg} must be an Array of {device}, not {got}")                                 \
  X(scalar,          TypeError,   "{op}: {arg} must be a number, not {got}")                                             \
  X(equal_sizes,     ValueError,  "{op}: sizes must agree, but {a} has {a_size} elements and {b} has {b_size}")          \
  X(layout_rank,     ValueError,  "{op}: shape {shape} and strides {strides} must have the same length")                 \
  X(rank_limit,      ValueError,  "{op}: {rank} axes, but {device} takes at most {limit}")                               \
  X(negative_length, ValueError,  "{op}: shape {shape} has a negative length")                                           \
  X(view_size,       ValueError,  "{op}: the view has {view_size} elements but {arg} has {size}")                        \
  X(inside,          ValueError,  "{op}: shape {shape}, strides {strides}, offset {offset} reach elements {low} to {high}, but {arg} has {size}") \
  X(out_is_input,    ValueError,  "{op}: out must not be the buffer of an input")                                        \
  X(one_to_one,      ValueError,  "{op}: shape {shape}, strides {strides} may reach one element by two indices, so it cannot be written; write to .compact()") \
  X(reduce_size,     ValueError,  "{op}: a has {a_size} elements, which is not out.size {out_size} times reduce_size {reduce_size}") \
  X(empty_maximum,   ValueError,  "{op}: the maximum of no elements does not exist (reduce_size 0)")                     \
  X(matmul_size,     ValueError,  "{op}: {arg} must have {rows} x {columns} = {want} elements, but has {size}")          \
  X(tile_multiple,   ValueError,  "{op}: m, n, p = {m}, {n}, {p} must be multiples of the tile size {tile}")             \
  X(negative_size,   ValueError,  "{op}: {arg} must not be negative, got {value}")                                       \
  X(overflow,        ValueError,  "{op}: {what} does not fit into 64 bits")                                              \
  X(out_of_memory,   MemoryError, "{op}: no memory for {size} elements ({bytes} bytes) on {device}")
// clang-format on
