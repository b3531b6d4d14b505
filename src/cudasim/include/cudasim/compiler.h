// Macros of the headers themselves: which code the checker must not see.
#pragma once

#ifdef CUDASIM_CHECKED
// Code of the headers runs inside kernels but is not the student's: the hooks must not see its accesses.
#define CUDASIM_UNSEEN __attribute__((no_sanitize("thread")))
// Accesses made for the student report themselves with their caller's address, so the finding names the student's line.
#define CUDASIM_REPORTS_CALLER __attribute__((no_sanitize("thread"), noinline))
#else
#define CUDASIM_UNSEEN
#define CUDASIM_REPORTS_CALLER inline
#endif

// Functions that hand their caller's address on: never inlined, so that it is the student's line.
#define CUDASIM_CALL static __attribute__((noinline, unused)) CUDASIM_UNSEEN
#define CUDASIM_CALLER __builtin_return_address(0)
