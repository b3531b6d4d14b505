// The checks at the border (border.h says what each one promises).
#include "border.h"

namespace needle {
namespace {

struct RuleText {
  ErrorClass error_class;
  const char* text;
};

#define NEEDLE_RULE_TEXT(name, error_class, text) {ErrorClass::error_class, text},
const RuleText kRules[] = {NEEDLE_RULES(NEEDLE_RULE_TEXT)};
#undef NEEDLE_RULE_TEXT

std::string text(int64_t value) { return std::to_string(value); }

int64_t element_count(const char* op, const std::vector<int64_t>& shape) {
  for (int64_t length : shape)
    if (length == 0) return 0;  // first, so that (2^40, 2^40, 0) is the empty array that it is
  int64_t product = 1;
  for (int64_t length : shape)
    if (__builtin_mul_overflow(product, length, &product))
      refuse(Rule::overflow, {{"op", op}, {"what", "the number of elements of shape " + tuple_text(shape)}});
  return product;
}

bool is_empty(const std::vector<int64_t>& shape) { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }

// The lowest and highest element that the indices of a view reach; false when one of them leaves int64.
bool reach(const View& view, int64_t* low, int64_t* high) {
  *low = *high = view.offset;
  for (size_t axis = 0; axis < view.shape.size(); axis++) {
    int64_t span;
    if (__builtin_mul_overflow(view.shape[axis] - 1, view.strides[axis], &span)) return false;
    int64_t* end = span < 0 ? low : high;
    if (__builtin_add_overflow(*end, span, end)) return false;
  }
  return true;
}

}  // namespace

void refuse(Rule rule, std::initializer_list<Field> fields) {
  const RuleText& entry = kRules[static_cast<int>(rule)];
  std::string message;
  for (const char* at = entry.text; *at != '\0'; at++) {
    if (*at != '{') {
      message += *at;
      continue;
    }
    const char* end = std::strchr(at, '}');
    const std::string name(at + 1, end);
    for (const Field& field : fields)
      if (name == field.first) message += field.second;
    at = end;
  }
  throw Refused(entry.error_class, message);
}

std::string tuple_text(const std::vector<int64_t>& values) {
  std::string result = "(";
  for (size_t i = 0; i < values.size(); i++) result += (i > 0 ? ", " : "") + text(values[i]);
  return result + (values.size() == 1 ? ",)" : ")");
}

Layout checked_layout(const char* op, const View& view) {
  const size_t rank = view.shape.size();
  if (view.strides.size() != rank)
    refuse(Rule::layout_rank, {{"op", op}, {"shape", tuple_text(view.shape)}, {"strides", tuple_text(view.strides)}});
  if (rank > static_cast<size_t>(std::min(device_info.max_rank, kMaxRank)))
    refuse(Rule::rank_limit, {{"op", op},
                              {"rank", text(static_cast<int64_t>(rank))},
                              {"device", device_info.name},
                              {"limit", text(device_info.max_rank)}});
  for (int64_t length : view.shape)
    if (length < 0) refuse(Rule::negative_length, {{"op", op}, {"shape", tuple_text(view.shape)}});
  element_count(op, view.shape);

  Layout layout = {};
  layout.rank = static_cast<int32_t>(rank);
  std::copy(view.shape.begin(), view.shape.end(), layout.shape);
  for (size_t axis = 0; axis < rank; axis++)  // no step is ever taken along an axis of length one: it may be any number
    layout.strides[axis] = view.shape[axis] > 1 ? view.strides[axis] : 0;
  layout.offset = view.offset;
  return layout;
}

void check_view_size(const char* op, const Layout& layout, const char* arg, int64_t size) {
  if (count(layout) != size)
    refuse(Rule::view_size, {{"op", op}, {"view_size", text(count(layout))}, {"arg", arg}, {"size", text(size)}});
}

void check_inside(const char* op, const View& view, const char* arg, int64_t size) {
  int64_t low = view.offset, high = view.offset;
  const bool empty = is_empty(view.shape);
  if (!empty && !reach(view, &low, &high))
    refuse(Rule::overflow, {{"op", op},
                            {"what", "an element position of shape " + tuple_text(view.shape) + ", strides " +
                                         tuple_text(view.strides) + ", offset " + text(view.offset)}});
  if (low >= 0 && (empty ? high <= size : high < size)) return;
  refuse(Rule::inside, {{"op", op},
                        {"shape", tuple_text(view.shape)},
                        {"strides", tuple_text(view.strides)},
                        {"offset", text(view.offset)},
                        {"low", text(low)},
                        {"high", text(high)},
                        {"arg", arg},
                        {"size", text(size)}});
}

void check_one_to_one(const char* op, const View& view) {
  if (is_empty(view.shape)) return;
  std::vector<std::pair<int64_t, int64_t>> axes;  // |stride|, length
  for (size_t axis = 0; axis < view.shape.size(); axis++)
    if (view.shape[axis] > 1) axes.emplace_back(std::abs(view.strides[axis]), view.shape[axis]);
  std::sort(axes.begin(), axes.end());
  int64_t farthest = 0;  // within int64: check_inside has bounded every reach
  for (const auto& [stride, length] : axes) {
    if (stride <= farthest)
      refuse(Rule::one_to_one, {{"op", op}, {"shape", tuple_text(view.shape)}, {"strides", tuple_text(view.strides)}});
    farthest += (length - 1) * stride;
  }
}

void check_equal_sizes(const char* op, const char* a, int64_t a_size, const char* b, int64_t b_size) {
  if (a_size != b_size)
    refuse(Rule::equal_sizes, {{"op", op}, {"a", a}, {"a_size", text(a_size)}, {"b", b}, {"b_size", text(b_size)}});
}

void check_not_negative(const char* op, const char* arg, int64_t value) {
  if (value < 0) refuse(Rule::negative_size, {{"op", op}, {"arg", arg}, {"value", text(value)}});
}

void check_reduce(const char* op, int64_t a_size, int64_t out_size, int64_t reduce_size, bool is_maximum) {
  check_not_negative(op, "reduce_size", reduce_size);
  int64_t want;
  if (__builtin_mul_overflow(out_size, reduce_size, &want) || want != a_size)
    refuse(Rule::reduce_size,
           {{"op", op}, {"a_size", text(a_size)}, {"out_size", text(out_size)}, {"reduce_size", text(reduce_size)}});
  if (is_maximum && reduce_size == 0 && out_size > 0) refuse(Rule::empty_maximum, {{"op", op}});
}

void check_matmul(const char* op, int64_t a_size, int64_t b_size, int64_t out_size, int64_t m, int64_t n, int64_t p,
                  int tile) {
  check_not_negative(op, "m", m);
  check_not_negative(op, "n", n);
  check_not_negative(op, "p", p);
  const auto check = [op](const char* arg, int64_t rows, int64_t columns, int64_t size) {
    int64_t want;
    if (__builtin_mul_overflow(rows, columns, &want))
      refuse(Rule::overflow, {{"op", op}, {"what", text(rows) + " x " + text(columns)}});
    if (want != size)
      refuse(Rule::matmul_size, {{"op", op},
                                 {"arg", arg},
                                 {"rows", text(rows)},
                                 {"columns", text(columns)},
                                 {"want", text(want)},
                                 {"size", text(size)}});
  };
  if (tile > 0 && (m % tile != 0 || n % tile != 0 || p % tile != 0))
    refuse(Rule::tile_multiple, {{"op", op}, {"m", text(m)}, {"n", text(n)}, {"p", text(p)}, {"tile", text(tile)}});
  check("a", m, n, a_size);
  check("b", n, p, b_size);
  check("out", m, p, out_size);
}

}  // namespace needle
