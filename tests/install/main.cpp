/// Uses an installed tidelock as a stranger would: both ways to include, compiled without the library's own flags.
#include <tidelock/base/random.h>
#include <tidelock/solve/pressure_solver.h>

#include <cstdio>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "base/vec.h"

/// The example of README.md: a cube of fluid under an open top, with a source in one corner.
bool pressure_solve_converges() {
    using namespace tidelock;
    const Coord<3> cells(32, 32, 32);
    const auto bricks = make_dense<3>(lattice_for<3>(cells));
    PoissonOperator<3> op(bricks, 1.0, [&](std::ptrdiff_t slot, PoissonBrick<3>& brick) {
        for (int i = 0; i < Brick<3>::cells; ++i) {
            const Coord<3> c = first_cell<3>(bricks->brick(slot)) + local_coord<3>(i);
            brick.unknown[i] = 1;
            for (int a = 0; a < 3; ++a) brick.conductance[a][i] = c[a] > 0 ? 1 : 0;
            if (c[1] == cells[1] - 1) brick.excess[i] = 1;
        }
    });
    PressureSolver<3> solver(std::move(op));
    std::vector<double> b(static_cast<std::size_t>(solver.op().size()), 0.0), x(b.size(), 0.0);
    b[0] = 1;
    const SolveReport report = solver.solve(b.data(), x.data());
    // What enters at the source leaves through the top: the flux there is the sum of the pressures below it.
    double flux = 0;
    for (std::ptrdiff_t slot = 0; slot < bricks->count(); ++slot)
        for (int i = 0; i < Brick<3>::cells; ++i)
            if (first_cell<3>(bricks->brick(slot))[1] + local_coord<3>(i)[1] == cells[1] - 1)
                flux += x[static_cast<std::size_t>(slot * Brick<3>::cells + i)];
    std::printf("%d iterations, flux %.9f\n", report.iterations, flux);
    return report.converged() && flux > 0.9999 && flux < 1.0001;
}

int main() {
    if (!pressure_solve_converges()) return 1;
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
