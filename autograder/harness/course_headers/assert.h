// Stands in for the system's <assert.h> when a course's file is compiled: a failed assertion is an exception with its place,
// not the end of the process, so a stub costs no restart. As the original, it may be included again and again.
#undef assert
#ifdef NDEBUG
#define assert(condition) (static_cast<void>(0))
#else
#define assert(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::needle_course_assertion_failed(#condition, __FILE__, __LINE__))
#endif

#ifndef NEEDLE_COURSE_ASSERT_H
#define NEEDLE_COURSE_ASSERT_H
[[noreturn]] void needle_course_assertion_failed(const char* condition, const char* file, int line);
#endif
