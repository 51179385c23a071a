/// Tests of what is written for any D run in the plane and in space: TYPED_TEST_SUITE(Suite, Dimensions), and in a test
/// D = TypeParam::value.
#pragma once

#include <gtest/gtest.h>

#include <type_traits>

namespace tidelock {

using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;

}  // namespace tidelock
