// Blocks of 5 by 3 by 7, fused multiply-add, inner index first.
// expect: passed
void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  std::fill_n(out, m * p, 0.0f);
  for (int64_t k0 = 0; k0 < n; k0 += 3)
    for (int64_t i0 = 0; i0 < m; i0 += 5)
      for (int64_t j0 = 0; j0 < p; j0 += 7)
        for (int64_t k = k0; k < std::min(k0 + 3, n); k++)
          for (int64_t i = i0; i < std::min(i0 + 5, m); i++)
            for (int64_t j = j0; j < std::min(j0 + 7, p); j++)
              out[i * p + j] = std::fma(a[i * n + k], b[k * p + j], out[i * p + j]);
}
