// Four threads, each with its share of the output.
// expect: passed
#include <thread>
void share(const float* a, float* out, const Layout& view, int64_t from, int64_t to) {
  for (int64_t k = from; k < to; k++) {
    int64_t rest = k, position = view.offset;
    for (int axis = view.rank - 1; axis >= 0; axis--) {
      position += rest % view.shape[axis] * view.strides[axis];
      rest /= view.shape[axis];
    }
    out[k] = a[position];
  }
}
void compact(const float* a, float* out, Layout view) {
  const int64_t size = count(view);
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < 4; t++) threads.emplace_back(share, a, out, std::cref(view), size * t / 4, size * (t + 1) / 4);
  for (std::thread& thread : threads) thread.join();
}
