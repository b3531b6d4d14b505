// One thread for each fourth of the rows.
// expect: passed
#include <thread>
void matmul(const float* a, const float* b, float* out, int64_t m, int64_t n, int64_t p) {
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < 4; t++)
    threads.emplace_back([=] {
      for (int64_t i = t; i < m; i += 4)
        for (int64_t j = 0; j < p; j++) {
          long double sum = 0;
          for (int64_t k = n - 1; k >= 0; k--) sum += static_cast<long double>(a[i * n + k]) * b[k * p + j];
          out[i * p + j] = static_cast<float>(sum);
        }
    });
  for (std::thread& thread : threads) thread.join();
}
