#include "base/error.h"

#include <gtest/gtest.h>

namespace tidelock {

TEST(InputError, NamesPlaceAndValue) {
    const InputError error("fluid.density", "must be > 0 kg/m^3, got {}", -1000);
    EXPECT_STREQ(error.what(), "fluid.density: must be > 0 kg/m^3, got -1000");
    EXPECT_EQ(error.place(), "fluid.density");
}

TEST(Assertion, CarriesConditionAndValues) {
    try {
        fail_assertion("n > 0", "file.cpp", 7, "n = -3");
        FAIL();
    } catch (const AssertionError& error) {
        EXPECT_STREQ(error.what(), "file.cpp:7: assertion failed: n > 0 (n = -3)");
    }
}

}  // namespace tidelock
