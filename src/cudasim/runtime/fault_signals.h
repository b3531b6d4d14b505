// Signals that a kernel raises (a bad address in plain mode, division by zero, abort) become findings; the launch is
// abandoned and the process lives on.
#pragma once

namespace cudasim {

void catch_signals();    // for the time of a launch
void release_signals();  // whatever handlers there were before
// After a signal has abandoned the launch: composes the finding. False if there was none.
bool report_signal();

}  // namespace cudasim
