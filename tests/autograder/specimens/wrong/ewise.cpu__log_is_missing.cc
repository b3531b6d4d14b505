// An empty body.
// expect: failed; checks: log; diagnosis: untouched
void ewise_log(const float* a, float* out, int64_t size) {
}
