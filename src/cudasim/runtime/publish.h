// One finding in words, and as a JSON object on one line.
#pragma once

#include <string>

#include "findings.h"

namespace cudasim {

std::string finding_text(const Finding& finding);
std::string finding_json(const Finding& finding);

}  // namespace cudasim
