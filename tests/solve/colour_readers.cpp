#include "colour_readers.h"

#include <fmt/format.h>

#include <numeric>

#include "grid/neighbour_cell.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solve/colour_readers.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
//
#include "solve/colour_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tidelock::HWY_NAMESPACE {
namespace {

/// Compares what a reader gives around the cells at `at` of a colour with the values that lie there.
template <int D, class T, int colour, int shift>
std::string compare(const BrickSet<D>& set, std::ptrdiff_t brick, const std::vector<T>& values,
                    const ColourReader<D, T, colour>& reader, int k, int i, int at) {
    using Reader = ColourReader<D, T, colour>;
    for (int a = 0; a < D; ++a)
        for (const int step : {-1, 1}) {
            T read[Reader::step];
            hn::StoreU(step < 0 ? reader.template lower<shift>(a, k, i) : reader.template upper<shift>(a, k, i),
                       typename Reader::Tag(), read);
            for (int lane = 0; lane < Reader::step; ++lane) {
                int local = 0;  // the cell of this colour at that place of its half
                while (colour_place<D>(local) != colour * half_brick<D> + at + lane) ++local;
                const auto [slot, cell] = neighbour_cell<D>(set, brick, local, a, step);
                const auto place = colour_order<D>(std::ptrdiff_t{slot} * Brick<D>::cells + cell);
                if (read[lane] != values[static_cast<std::size_t>(place)])
                    return fmt::format("axis {}, step {}, cell {}", a, step, local);
            }
        }
    return {};
}

template <int D, class T, int colour>
std::string check_colour(const BrickSet<D>& set, std::ptrdiff_t brick) {
    std::vector<T> values(static_cast<std::size_t>(set.cells() + Brick<D>::cells));
    std::iota(values.begin(), values.end(), T{1});
    ColourReader<D, T, colour> reader(values.data(), FaceSlots<D>(set.neighbours(brick).data()));
    std::string wrong;
    int visited = 0;
    for_each_vector<D, T, colour>(
        [&]<int shift>(int k, int i, int at) HWY_ATTR {
            visited += ColourReader<D, T, colour>::step;
            if (wrong.empty()) wrong = compare<D, T, colour, shift>(set, brick, values, reader, k, i, at);
        },
        reader);
    if (visited != half_brick<D>) return fmt::format("{} of {} cells visited", visited, half_brick<D>);
    return wrong;
}

template <int D>
std::string check_brick(const BrickSet<D>& set, std::ptrdiff_t brick) {
    for (const std::string& wrong : {check_colour<D, float, 0>(set, brick), check_colour<D, float, 1>(set, brick),
                                     check_colour<D, double, 0>(set, brick), check_colour<D, double, 1>(set, brick)})
        if (!wrong.empty()) return wrong;
    return {};
}

}  // namespace

ColourReaderCheck<2> check_in_plane() { return check_brick<2>; }
ColourReaderCheck<3> check_in_space() { return check_brick<3>; }

}  // namespace tidelock::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tidelock {

HWY_EXPORT(check_in_plane);
HWY_EXPORT(check_in_space);

namespace {

/// f() under each instruction set in turn.
template <class F>
auto under_each(const F& f) {
    std::vector<std::pair<std::string, decltype(f())>> out;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        out.emplace_back(hwy::TargetName(target), f());
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return out;
}

}  // namespace

template <>
std::vector<std::pair<std::string, ColourReaderCheck<2>>> colour_reader_checks() {
    return under_each([] { return HWY_DYNAMIC_DISPATCH(check_in_plane)(); });
}
template <>
std::vector<std::pair<std::string, ColourReaderCheck<3>>> colour_reader_checks() {
    return under_each([] { return HWY_DYNAMIC_DISPATCH(check_in_space)(); });
}

}  // namespace tidelock
#endif
