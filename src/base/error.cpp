#include "base/error.h"

namespace tidelock {

void fail_assertion(const char* condition, const char* file, int line, const std::string& values) {
    throw AssertionError(fmt::format("{}:{}: assertion failed: {} ({})", file, line, condition, values));
}

}  // namespace tidelock
