/// Uses an installed tidelock as a stranger would: both ways to include, compiled without the library's own flags.
#include <tidelock/base/random.h>

#include <cstdio>

#include "base/error.h"
#include "base/parallel.h"
#include "base/vec.h"

int main() {
    using tidelock::Vec3;
    const tidelock::Random random(7);
    const std::ptrdiff_t n = 1000;
    const Vec3 mean = tidelock::ordered_sum<Vec3>("mean", n, Vec3::Zero(), [&](std::ptrdiff_t i) {
        return Vec3(random.point<3>(static_cast<std::uint64_t>(i)) / static_cast<double>(n));
    });
    // The mean of 1000 uniform numbers has a standard deviation of 0.0092: 0.05 is five of them.
    if ((mean - Vec3::Constant(0.5)).cwiseAbs().maxCoeff() > 0.05) return 1;

    // Code of the library itself, and its exceptions across the boundary.
    try {
        const tidelock::ThreadLimit none(0);
    } catch (const tidelock::InputError& error) {
        std::printf("%s\n", error.what());
        return error.place() == "threads" ? 0 : 1;
    }
    return 1;
}
