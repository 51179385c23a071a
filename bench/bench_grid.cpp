/// Speed of the sparse grid: stencil apply against the memory triad, sparse against dense, brick shapes, interpolation,
/// remap.
///
///   bench_grid [--json FILE] [--quick] [--threads N] [--cpu-time]
///
/// Figures are the best of several repeats. --cpu-time divides processor time by threads, for a machine that others
/// use. Bars (DESIGN): apply >= 60 % of the triad on 256^3, sparse >= 50 % of dense per active cell.
#include <cstring>

#include "grid/activation.h"
#include "grid/interpolate.h"
#include "grid_points.h"
#include "grid_stencil.h"
#include "report.h"

namespace tidelock::bench {
namespace {

using Options = BenchOptions;

/// Doubles in each of the triad's three arrays: 1.2 GB, far more than any cache.
std::size_t triad_size(const Options& options) { return options.quick ? 12'500'000 : 50'000'000; }

/// a = b + 3 c on arrays that are kept, so that it can take turns with others.
class Triad {
  public:
    explicit Triad(std::size_t size) : a_(size), b_(size), c_(size) {}
    /// GB/s, best of some repeats.
    double speed(Options options, int threads) {
        const ThreadLimit limit(threads);
        options.threads = threads;
        constexpr std::size_t block = 1 << 15;
        const double seconds = best_seconds(options.size.repeats, options.clock(), [&] {
            parallel_for("triad", static_cast<std::ptrdiff_t>((a_.size() + block - 1) / block), [&](std::ptrdiff_t i) {
                const std::size_t first = static_cast<std::size_t>(i) * block,
                                  last = std::min(first + block, a_.size());
                for (std::size_t k = first; k < last; ++k) a_[k] = b_[k] + 3.0 * c_[k];
            });
        });
        return 24.0 * static_cast<double>(a_.size()) / seconds * 1e-9;
    }

  private:
    BigArray<double> a_, b_, c_;
};

/// Seconds of one apply on a set of the library.
double apply_seconds(const BrickSetPtr<3>& set, const Options& options) {
    Field<3, float> x(set, 1.0f), d(set, 6.0f), y(set);
    FaceField<3, float> k(set, 1.0f);
    const StencilArrays arrays{x.data(), d.data(), {k[0].data(), k[1].data(), k[2].data()}, y.data()};
    return best_seconds(options.size.repeats, options.clock(), [&] {
        parallel_for("apply", set->count(), [&](std::ptrdiff_t b) { apply_rows(arrays, set->neighbours(b).data()); });
    });
}

/// 5 % of a lattice that has as many active bricks as the dense grid, so that caches help neither.
BrickSetPtr<3> sparse_set(const Options& options, bool random) {
    Coord3 lattice = lattice_for<3>(Coord3::Constant(options.size.extent));
    lattice[0] *= 2, lattice[1] *= 2, lattice[2] *= 5;
    return make_where<3>(lattice, [&](const Coord3& b) {
        if (random)
            return scattered(static_cast<std::uint64_t>(b[0]) + 1000 * static_cast<std::uint64_t>(b[1] + 1000 * b[2])) <
                   0.05;
        const int thickness = lattice[2] / 20;
        const int bottom = lattice[2] / 2 + static_cast<int>(0.1 * lattice[2] * std::sin(0.1 * b[0] + 0.07 * b[1]));
        return b[2] >= bottom && b[2] < bottom + thickness;
    });
}

template <int NX, int NY, int NZ>
double shape_speed(const Options& options) {
    ShapedGrid<NX, NY, NZ> grid(options.size.extent);
    const double seconds = best_seconds(options.size.repeats, options.clock(), [&] { grid.apply(); });
    return stencil_bytes * static_cast<double>(grid.count() * grid.cells) / seconds * 1e-9;
}

void bench_apply(const Options& options, Report& report) {
    Triad triad(triad_size(options));
    const auto set = make_dense<3>(lattice_for<3>(Coord3::Constant(options.size.extent)));
    const auto cells = static_cast<double>(set->cells());
    double one = 0, all = 0, dense = std::numeric_limits<double>::infinity();
    // In turns, so that what else the machine does meets all three.
    Options turn = options;
    turn.size.repeats = (options.size.repeats + 2) / 3;
    for (int round = 0; round < 3; ++round) {
        one = std::max(one, triad.speed(turn, 1));
        all = std::max(all, triad.speed(turn, options.threads));
        dense = std::min(dense, apply_seconds(set, turn));
    }
    report.add("triad, double, 1 thread", one, "GB/s");
    report.add(fmt::format("triad, double, {} threads", options.threads), all, "GB/s");
    const double speed = stencil_bytes * cells / dense * 1e-9;
    report.add(fmt::format("7-point apply, float, dense {}^3", options.size.extent), speed, "GB/s",
               fmt::format("{:.0f} % of the triad; {:.2f} ns/cell", 100 * speed / all, 1e9 * dense / cells));
    for (const bool random : {false, true}) {
        const auto sparse = sparse_set(options, random);
        const double seconds = apply_seconds(sparse, options);
        const auto n = static_cast<double>(sparse->cells());
        report.add(random ? "7-point apply, 5 % active, random bricks" : "7-point apply, 5 % active, thin layer",
                   stencil_bytes * n / seconds * 1e-9, "GB/s",
                   fmt::format("{:.0f} % of dense per active cell", 100 * (dense / cells) / (seconds / n)));
    }
    report.add("brick shape 8x8x8", shape_speed<8, 8, 8>(options), "GB/s");
    report.add("brick shape 16x8x8", shape_speed<16, 8, 8>(options), "GB/s");
    report.add("brick shape 32x8x8", shape_speed<32, 8, 8>(options), "GB/s");
    report.add("brick shape 16x16x16", shape_speed<16, 16, 16>(options), "GB/s");
}

/// Millions of samples a second. `points(b, i)` is point i of block b; one sampler per block of 1024 points.
template <class MakeSampler, class Points>
double sampling_speed(const Options& options, std::ptrdiff_t blocks, MakeSampler&& make, Points&& points) {
    std::vector<double> sums(static_cast<std::size_t>(blocks));  // keeps the work from being thrown away
    const double seconds = best_seconds(options.size.repeats / 2 + 1, options.clock(), [&] {
        parallel_for("sample", blocks, [&](std::ptrdiff_t b) {
            auto sampler = make();
            double sum = 0;
            for (int i = 0; i < 1024; ++i) sum += sampler.linear(points(b, i));
            sums[static_cast<std::size_t>(b)] = sum;
        });
    });
    return 1024.0 * static_cast<double>(blocks) / seconds * 1e-6;
}

void bench_interpolation(const Options& options, Report& report) {
    const int n = options.size.extent;
    const auto dense = make_dense<3>(lattice_for<3>(Coord3::Constant(n)));
    const Field<3, float> field(dense, 1.0f);
    BigArray<float> plain(static_cast<std::size_t>(n) * n * n);
    std::fill(plain.begin(), plain.end(), 1.0f);
    const auto plain_sampler = [&] { return PlainSampler(plain.data(), n); };
    const auto sampler_of = [](const Field<3, float>& f) {
        return [&f] { return Sampler<3, float>(f, Centring<3>::cell()); };
    };

    const auto anywhere = [n](std::ptrdiff_t b, int i) {
        const auto k = 3 * static_cast<std::uint64_t>(1024 * b + i);
        return Vec3(n * scattered(k), n * scattered(k + 1), n * scattered(k + 2));
    };
    const auto blocks = std::min<std::ptrdiff_t>(4096, dense->count());
    const double base_random = sampling_speed(options, blocks, plain_sampler, anywhere);
    report.add("trilinear, random, plain array", base_random, "Msamples/s");
    const double dense_random = sampling_speed(options, blocks, sampler_of(field), anywhere);
    report.add("trilinear, random, dense bricks", dense_random, "Msamples/s",
               fmt::format("{:.0f} % of plain", 100 * dense_random / base_random));

    const auto flow_on = [](const BrickSetPtr<3>& set) {
        return [set = set.get()](std::ptrdiff_t b, int i) {
            return traced_back(first_cell<3>(set->brick(b)) + local_coord<3>(i));
        };
    };
    const auto rows = [n](std::ptrdiff_t b, int i) {
        const auto k = 1024 * b + i;
        return traced_back(Coord3(static_cast<int>(k % n), static_cast<int>(k / n % n), static_cast<int>(k / n / n)));
    };
    const double base = sampling_speed(options, dense->count(), plain_sampler, rows);
    report.add("trilinear, traced back, plain array", base, "Msamples/s");
    const double coherent = sampling_speed(options, dense->count(), sampler_of(field), flow_on(dense));
    report.add("trilinear, traced back, dense bricks", coherent, "Msamples/s",
               fmt::format("{:.0f} % of plain", 100 * coherent / base));
    for (const bool random : {false, true}) {
        const auto set = sparse_set(options, random);
        const Field<3, float> sparse(set, 1.0f);
        const double speed = sampling_speed(options, set->count(), sampler_of(sparse), flow_on(set));
        report.add(random ? "trilinear, traced back, 5 % random bricks" : "trilinear, traced back, 5 % thin layer",
                   speed, "Msamples/s", fmt::format("{:.0f} % of dense bricks", 100 * speed / coherent));
    }
}

void bench_remap(const Options& options, Report& report) {
    const Grid<3> grid{Coord3::Constant(options.size.extent), 1.0, Vec3::Zero()};
    const double radius = 0.35 * options.size.extent;
    const auto ball = [&](double shift) {
        return [&, shift](const Vec3& x) {
            return (x -
                    Vec3(0.5 * options.size.extent - 16 + shift, 0.5 * options.size.extent, 0.5 * options.size.extent))
                       .norm() -
                   radius;
        };
    };
    const auto before = activate_shape<3>(grid, ball(0), 4.0);
    const auto after = activate_shape<3>(grid, ball(16), 4.0);
    const FaceField<3, float> u(before, 1.0f);
    const double seconds = best_seconds(options.size.repeats, options.clock(), [&] { (void)u.remapped(after); });
    report.add("remap 3 float fields, moved by a brick", seconds, "s",
               fmt::format("{} bricks, {:.2f} ns/value", after->count(),
                           1e9 * seconds / (3.0 * static_cast<double>(after->cells()))));
    Field<3, float> phi(before, 5.0f);
    parallel_for("set values", before->count(), [&](std::ptrdiff_t b) {
        for (int i = 0; i < Brick<3>::cells; ++i)
            phi.brick(b)[i] =
                static_cast<float>(ball(3)(grid.cell_centre(first_cell<3>(before->brick(b)) + local_coord<3>(i))));
    });
    const double activation =
        best_seconds(options.size.repeats, options.clock(), [&] { (void)reactivate<3>(before, phi, 6); });
    report.add("reactivate, moved by 3 cells", activation, "s",
               fmt::format("{:.2f} ns/active cell", 1e9 * activation / static_cast<double>(before->cells())));
}

void run(const Options& options, Report& report) {
    bench_apply(options, report);
    bench_interpolation(options, report);
    bench_remap(options, report);
}

}  // namespace
}  // namespace tidelock::bench

int main(int count, char** words) {
    using namespace tidelock::bench;
    return guarded(1, [&] {
        const BenchOptions full{.size = {256, 9}, .threads = tidelock::thread_count()};
        return run_bench("bench_grid", BenchOptions::parse(count, words, full, {128, 3}), run);
    });
}
