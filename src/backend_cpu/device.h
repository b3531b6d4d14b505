// What every kernel file of the CPU backend includes: the contract, the standard headers, and the tiles of
// matmul_tiled.
#pragma once

#include "../common/contract.h"

namespace needle {

constexpr int kTile = 8;                  // side of a tile, in elements
constexpr int kTileSize = kTile * kTile;  // elements of a tile
constexpr size_t kAlignmentBytes = 256;   // of every allocation

// Where tile (row, column) of a tiled matrix begins. The matrix is stored tile by tile: `columns` tiles per row of
// tiles, and each tile is kTile x kTile elements, row-major. No alignment is promised to the compiler: a tile may lie
// anywhere.
inline const float* tile_at(const float* matrix, int64_t columns, int64_t row, int64_t column) {
  return matrix + (row * columns + column) * kTileSize;
}
inline float* tile_at(float* matrix, int64_t columns, int64_t row, int64_t column) {
  return matrix + (row * columns + column) * kTileSize;
}

}  // namespace needle
