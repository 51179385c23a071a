#include "fluid/transport.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>

#include "base/error.h"
#include "base/scratch.h"
#include "fluid/window.h"
#include "grid/interpolate.h"

namespace tidelock {

namespace {

constexpr std::size_t most_fields = 2;  ///< cell fields that are carried at once

/// The interface of Window for points that may lie anywhere.
template <int D>
class FarReader {
  public:
    void load(const Field<D, double>& field, const Centring<D>& centring, const Grid<D>& grid) {
        sampler_ = Sampler<D, double>(field, centring, grid);
    }
    void linear(const Points<D>& x, Values<D>& out) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = sampler_.linear(point(x, i));
    }
    void range(const Points<D>& x, Values<D>& least, Values<D>& most) {
        for (std::size_t i = 0; i < least.size(); ++i) std::tie(least[i], most[i]) = sampler_.range(point(x, i));
    }

  private:
    static Vec<D> point(const Points<D>& x, std::size_t i) {
        Vec<D> p;
        for (int a = 0; a < D; ++a) p[a] = x[static_cast<std::size_t>(a)][i];
        return p;
    }
    Sampler<D, double> sampler_;
};

/// Readers of the velocity around one brick.
template <int D, class Reader>
struct Flow {
    std::array<Reader, D> component;

    void operator()(const Points<D>& x, Points<D>& out) {
        for (std::size_t a = 0; a < D; ++a) component[a].linear(x, out[a]);
    }
    /// At the row of samples that begins at `place` in the brick, which are the points x. Gathers are dear: away from
    /// the sides the samples around are simply in line.
    void at_samples(const Points<D>& x, const Vec<D>& offset, int place, Points<D>& out) {
        if constexpr (std::is_same_v<Reader, Window<D>>) {
            bool away = true;
            for (const auto& c : component) away = away && c.away_from_sides();
            if (away) {
                const Coord<D> at = local_coord<D>(place);
                for (std::size_t a = 0; a < D; ++a)
                    component[a].linear_at_samples(offset, at[1], D == 3 ? at[D - 1] : 0, out[a]);
                return;
            }
        }
        (*this)(x, out);
    }
};

/// Work memory of one brick. A component of the velocity that carries itself needs no field of its own.
template <int D>
struct Workspace {
    Flow<D, Window<D>> flow;
    std::array<Window<D>, most_fields> field;  ///< what is carried
    std::array<Window<D>, most_fields> round;  ///< the same once carried
};

/// y = x + scale * v.
template <int D>
void shifted(const Points<D>& x, double scale, const Points<D>& v, Points<D>& y) {
    for (std::size_t a = 0; a < D; ++a)
        for (std::size_t i = 0; i < x[a].size(); ++i) y[a][i] = x[a][i] + scale * v[a][i];
}

/// Upstream points: Ralston's third-order rule. `k1` is the flow at x, `scale` = dt / dx.
template <int D, class R>
void trace_back(const Points<D>& x, const Points<D>& k1, double scale, Flow<D, R>& flow, Points<D>& upstream) {
    Points<D> k2, k3;
    shifted<D>(x, -0.5 * scale, k1, upstream);
    flow(upstream, k2);
    shifted<D>(x, -0.75 * scale, k2, upstream);
    flow(upstream, k3);
    for (std::size_t a = 0; a < D; ++a)
        for (std::size_t i = 0; i < x[a].size(); ++i)
            upstream[a][i] = x[a][i] - scale * ((2. / 9) * k1[a][i] + (1. / 3) * k2[a][i] + (4. / 9) * k3[a][i]);
}

/// Downstream points for the round trip: the midpoint rule is enough there.
template <int D, class R>
void trace_forward(const Points<D>& x, const Points<D>& k1, double scale, Flow<D, R>& flow, Points<D>& downstream) {
    Points<D> k;
    shifted<D>(x, 0.5 * scale, k1, downstream);
    flow(downstream, k);
    shifted<D>(x, scale, k, downstream);
}

/// Loads the velocity around a brick. False if something in reach moves farther than a window.
template <int D>
bool load_flow(const Wind<D>& wind, std::ptrdiff_t slot, Flow<D, Window<D>>& flow) {
    bool fits = true;
    for (int a = 0; a < D; ++a) {
        auto& window = flow.component[static_cast<std::size_t>(a)];
        window.load(wind.velocity[a], slot, Frame<D>(wind.grid, Centring<D>::face(a)));
        fits = fits && window.largest() * wind.dt / wind.grid.dx <= window_reach;
    }
    return fits;
}

template <int D>
Flow<D, FarReader<D>> far_flow(const Wind<D>& wind) {
    Flow<D, FarReader<D>> flow;
    for (int a = 0; a < D; ++a)
        flow.component[static_cast<std::size_t>(a)].load(wind.velocity[a], Centring<D>::face(a), wind.grid);
    return flow;
}

/// Carries fields that live at one centring, a brick at a time.
template <int D>
class Carrier {
  public:
    using In = std::vector<const Field<D, double>*>;
    using Out = std::vector<Field<D, double>*>;

    /// `axis`: the component that is carried; -1 for cell fields. `for_correction`: keeps the upstream points.
    Carrier(const Wind<D>& wind, int axis, In in, Out out, bool for_correction)
        : wind_(wind),
          axis_(axis),
          centring_(axis < 0 ? Centring<D>::cell() : Centring<D>::face(axis)),
          last_(wind.grid.last_index(centring_)),
          frame_(wind.grid, centring_),
          scale_(wind.dt / wind.grid.dx),
          in_(std::move(in)),
          out_(std::move(out)) {
        if (for_correction)
            for (auto& u : upstream_)
                u = BigArray<float>(static_cast<std::size_t>(in_[0]->set().cells()), Uninitialised{});
    }

    [[nodiscard]] std::size_t fields() const { return in_.size(); }
    /// Readers of what is carried, and of the same once carried.
    void load(std::size_t f, std::ptrdiff_t slot, Window<D>& window) const { window.load(*in_[f], slot, frame_); }
    void load(std::size_t f, FarReader<D>& reader) const { reader.load(*in_[f], centring_, wind_.grid); }
    void load_round(std::size_t f, std::ptrdiff_t slot, Window<D>& window) const {
        window.load(carried_[f], slot, frame_);
    }
    void load_round(std::size_t f, FarReader<D>& reader) const { reader.load(carried_[f], centring_, wind_.grid); }
    [[nodiscard]] double background(std::size_t f) const { return in_[f]->background(); }
    void settle(std::ptrdiff_t slot) {
        for (Field<D, double>* f : out_) std::fill_n(f->brick(slot), Brick<D>::cells, f->background());
    }

    /// Sets the first-order results aside, for second_order() to correct.
    void begin_correction() {
        for (Field<D, double>* f : out_) {
            carried_.emplace_back(f->set_ptr(), f->background());
            std::swap(carried_.back(), *f);
        }
    }

    /// `fields` holds a reader of each field that is carried; `lost` gets the cells without a visible sample.
    template <class R>
    void first_order(std::ptrdiff_t slot, Flow<D, R>& flow, R* fields, std::vector<Coord<D>>& lost) {
        const bool solids = wind_.obstacles != nullptr && wind_.obstacles->near_brick(slot);
        for_each_row_of(slot, [&](const Coord<D>& first, int place) {
            Points<D> x, velocity, upstream;
            const int count = row_points(first, x);
            for (Field<D, double>* f : out_) std::fill_n(f->brick(slot) + place, row_length<D>, f->background());
            if (count == 0) return;
            flow.at_samples(x, centring_.offset, place, velocity);
            trace_back<D>(x, velocity, scale_, flow, upstream);
            keep_upstream(slot, place, x, upstream);
            Values<D> v;
            for (std::size_t f = 0; f < in_.size(); ++f) {
                fields[f].linear(upstream, v);
                std::copy_n(v.begin(), count, out_[f]->brick(slot) + place);
            }
            for (int i = 0; i < count; ++i) {
                const Vec<D> from = point(upstream, i);
                if (axis_ < 0 && beyond_open_side(from)) {
                    for (Field<D, double>* f : out_) f->brick(slot)[place + i] = f->background();
                    continue;
                }
                if (!solids) continue;
                const Vec<D> to = point(x, i);
                if (!near_solid(to, from)) continue;
                Coord<D> cell = first;
                cell[0] += i;
                careful(slot, place + i, cell, to, from, lost);
            }
        });
    }

    /// Turns the first-order result into the corrected one; `round` holds readers of the fields once carried.
    template <class R>
    void second_order(std::ptrdiff_t slot, Flow<D, R>& flow, R* fields, R* round) {
        const bool solids = wind_.obstacles != nullptr && wind_.obstacles->near_brick(slot);
        for_each_row_of(slot, [&](const Coord<D>& first, int place) {
            Points<D> x, velocity, upstream, downstream;
            const int count = row_points(first, x);
            for (std::size_t f = 0; f < in_.size(); ++f)
                std::copy_n(carried_[f].brick(slot) + place, row_length<D>, out_[f]->brick(slot) + place);
            if (count == 0) return;
            recall_upstream(slot, place, x, upstream);
            flow.at_samples(x, centring_.offset, place, velocity);
            trace_forward<D>(x, velocity, scale_, flow, downstream);
            std::array<bool, row_length<D>> keep{};
            for (int i = 0; i < count && (axis_ < 0 || solids); ++i) {
                const Vec<D> from = point(upstream, i), to = point(downstream, i);
                keep[static_cast<std::size_t>(i)] = (axis_ < 0 && (beyond_open_side(from) || beyond_open_side(to))) ||
                                                    (solids && near_solid(point(x, i), 2 * from - point(x, i)));
            }
            Values<D> back, least, most;
            for (std::size_t f = 0; f < in_.size(); ++f) {
                round[f].linear(downstream, back);
                fields[f].range(upstream, least, most);
                const double* before = in_[f]->brick(slot) + place;
                const double* once = carried_[f].brick(slot) + place;
                double* out = out_[f]->brick(slot) + place;
                for (int i = 0; i < count; ++i) {
                    const auto k = static_cast<std::size_t>(i);
                    const double v = once[i] + 0.5 * (before[i] - back[k]);
                    const double held = v < least[k] ? least[k] : v > most[k] ? most[k] : v;
                    out[i] = keep[k] ? once[i] : held;
                }
            }
        });
    }

  private:
    /// The samples of a row, and how many of them are in the domain.
    int row_points(const Coord<D>& first, Points<D>& x) const {
        for (int a = 1; a < D; ++a)
            if (first[a] > last_[a]) return 0;
        for (int a = 0; a < D; ++a)
            for (int i = 0; i < row_length<D>; ++i)
                x[static_cast<std::size_t>(a)][static_cast<std::size_t>(i)] =
                    first[a] + (a == 0 ? i : 0) + centring_.offset[a];
        return std::clamp(last_[0] - first[0] + 1, 0, row_length<D>);
    }
    /// Upstream points are kept as displacements in float: half the bytes, a millionth of a cell.
    void keep_upstream(std::ptrdiff_t slot, int place, const Points<D>& x, const Points<D>& upstream) {
        for (std::size_t a = 0; a < D; ++a) {
            if (upstream_[a].size() == 0) return;
            float* out = upstream_[a].data() + slot * Brick<D>::cells + place;
            for (std::size_t i = 0; i < x[a].size(); ++i) out[i] = static_cast<float>(upstream[a][i] - x[a][i]);
        }
    }
    void recall_upstream(std::ptrdiff_t slot, int place, const Points<D>& x, Points<D>& upstream) const {
        for (std::size_t a = 0; a < D; ++a) {
            const float* in = upstream_[a].data() + slot * Brick<D>::cells + place;
            for (std::size_t i = 0; i < x[a].size(); ++i) upstream[a][i] = x[a][i] + static_cast<double>(in[i]);
        }
    }

    template <class F>
    void for_each_row_of(std::ptrdiff_t slot, F&& f) const {
        const Coord<D> corner = first_cell<D>(in_[0]->set().brick(slot));
        for_each_row<D>([&](int y, int z, int place) {
            Coord<D> first = corner;
            first[1] += y;
            if constexpr (D == 3) first[2] += z;
            f(first, place);
        });
    }
    static Vec<D> point(const Points<D>& x, int i) {
        Vec<D> p;
        for (int a = 0; a < D; ++a) p[a] = x[static_cast<std::size_t>(a)][static_cast<std::size_t>(i)];
        return p;
    }
    [[nodiscard]] bool beyond_open_side(const Vec<D>& x) const {
        for (int a = 0; a < D; ++a)
            if ((x[a] < 0 && wind_.sides.is_open(a, 0)) || (x[a] > wind_.grid.cells[a] && wind_.sides.is_open(a, 1)))
                return true;
        return false;
    }
    /// Whether solids matter to a sample: nothing within the way it came, the corners around its origin, and a cell.
    [[nodiscard]] bool near_solid(const Vec<D>& x, const Vec<D>& upstream) const {
        const double reach = ((upstream - x).norm() + std::sqrt(double{D}) + 1) * wind_.grid.dx;
        return wind_.obstacles->clearance(wind_.grid.to_world(x), 1.001 * reach).least <= reach;
    }

    /// A sample near solids (numerics/transport 2).
    void careful(std::ptrdiff_t slot, int place, const Coord<D>& cell, const Vec<D>& to, Vec<D> from,
                 std::vector<Coord<D>>& lost) {
        const Grid<D>& grid = wind_.grid;
        for (int a = 0; a < D; ++a) from[a] = std::clamp(from[a], 0.0, static_cast<double>(grid.cells[a]));
        const Vec<D> arrival = grid.to_world(to);
        Vec<D> departure = grid.to_world(from);
        const bool found = wind_.obstacles->clip(arrival, departure);
        if (!found) {
            if (axis_ < 0) {
                lost.push_back(cell);
                for (Field<D, double>* f : out_) f->brick(slot)[place] = f->background();
            } else {
                out_[0]->brick(slot)[place] = wind_.obstacles->solid_velocity(arrival)[axis_];
            }
            return;
        }
        from = grid.to_cells(departure);
        // The corners around the departure, as the interpolation sees them: held inside the domain.
        Coord<D> low;
        Vec<D> fraction;
        for (int a = 0; a < D; ++a) {
            const double s = std::clamp(from[a] - frame_.offset[a], 0.0, frame_.high[a]);
            low[a] = std::min(static_cast<int>(s), std::max(last_[a] - 1, 0));
            fraction[a] = s - low[a];
        }
        double total = 0;
        std::array<double, most_fields> sum{};
        unsigned unseen = 0;
        if (axis_ < 0) {
            const double room = wind_.obstacles->clearance(departure, 2 * grid.dx)[Moment::beginning];
            unseen = wind_.obstacles->hidden(departure, room, Moment::beginning, {GridSample<D>::cell, low});
        }
        for (int n = 0; n < (1 << D); ++n) {
            Coord<D> corner = low;
            double weight = 1;
            for (int a = 0; a < D; ++a) {
                const int up = n >> a & 1;
                corner[a] += up;
                weight *= up != 0 ? fraction[a] : 1 - fraction[a];
            }
            if (weight <= 0) continue;
            Vec<D> solid_velocity;
            const bool hidden =
                axis_ < 0 ? (unseen >> n & 1) != 0
                          : wind_.obstacles->hides(departure, grid.position(corner, centring_), solid_velocity);
            if (hidden && axis_ < 0) continue;
            total += weight;
            for (std::size_t f = 0; f < in_.size(); ++f)
                sum[f] += weight * (hidden ? solid_velocity[axis_] : in_[f]->at(corner));
        }
        if (total <= 0) {
            lost.push_back(cell);
            for (Field<D, double>* f : out_) f->brick(slot)[place] = f->background();
            return;
        }
        for (std::size_t f = 0; f < in_.size(); ++f) out_[f]->brick(slot)[place] = sum[f] / total;
    }

    const Wind<D>& wind_;
    int axis_;
    Centring<D> centring_;
    Coord<D> last_;
    Frame<D> frame_;
    double scale_;
    In in_;
    Out out_;
    std::vector<Field<D, double>> carried_;  ///< the first-order results, while they are corrected
    std::array<BigArray<float>, D> upstream_;
};

}  // namespace

template <int D>
void advect_velocity(const Wind<D>& wind, Transport scheme, FaceField<D, double>& out) {
    const bool corrected = scheme == Transport::maccormack;
    std::vector<Carrier<D>> carriers;
    carriers.reserve(D);
    for (int a = 0; a < D; ++a)
        carriers.emplace_back(wind, a, std::vector{&wind.velocity[a]}, std::vector{&out[a]}, corrected);
    const auto bricks = wind.velocity[0].set().count();
    // All components of a brick in one go: they share the windows, and each is carried by its own.
    parallel_for("advect faces", bricks, [&](std::ptrdiff_t b) {
        std::vector<Coord<D>> lost;
        const auto carry = [&](auto& flow) {
            for (std::size_t a = 0; a < D; ++a) carriers[a].first_order(b, flow, &flow.component[a], lost);
        };
        auto& work = thread_scratch<Workspace<D>>();
        if (load_flow(wind, b, work.flow)) {
            carry(work.flow);
        } else {
            auto far = far_flow(wind);
            carry(far);
        }
    });
    if (!corrected) return;
    for (auto& carrier : carriers) carrier.begin_correction();
    parallel_for("correct faces", bricks, [&](std::ptrdiff_t b) {
        auto& work = thread_scratch<Workspace<D>>();
        if (load_flow(wind, b, work.flow)) {
            for (std::size_t a = 0; a < D; ++a) {
                carriers[a].load_round(0, b, work.round[0]);
                carriers[a].second_order(b, work.flow, &work.flow.component[a], work.round.data());
            }
        } else {
            auto far = far_flow(wind);
            FarReader<D> round;
            for (std::size_t a = 0; a < D; ++a) {
                carriers[a].load_round(0, round);
                carriers[a].second_order(b, far, &far.component[a], &round);
            }
        }
    });
}

namespace {

/// Loads what a brick of cell fields needs; `fits` if its windows hold it all. True if there is nothing to carry: then
/// it is done.
template <int D>
bool settle_idle(const Wind<D>& wind, Carrier<D>& carrier, std::ptrdiff_t slot, Workspace<D>& work, bool& fits) {
    bool idle = true;
    for (std::size_t f = 0; f < carrier.fields(); ++f) {
        carrier.load(f, slot, work.field[f]);
        idle = idle && work.field[f].holds_only(carrier.background(f));
    }
    fits = load_flow(wind, slot, work.flow);
    if (!fits || !idle) return false;
    carrier.settle(slot);
    return true;
}

}  // namespace

template <int D>
void advect_cells(const Wind<D>& wind, Transport scheme, std::span<const Field<D, double>* const> in,
                  std::span<Field<D, double>* const> out, std::vector<Coord<D>>& hidden) {
    TIDELOCK_ASSERT(in.size() == out.size() && in.size() <= most_fields, "{} fields", in.size());
    const bool corrected = scheme == Transport::maccormack;
    Carrier<D> carrier(wind, -1, {in.begin(), in.end()}, {out.begin(), out.end()}, corrected);
    const auto bricks = in[0]->set().count();
    std::vector<std::vector<Coord<D>>> lost(static_cast<std::size_t>(bricks));
    parallel_for("advect cells", bricks, [&](std::ptrdiff_t b) {
        auto& work = thread_scratch<Workspace<D>>();
        bool fits = false;
        if (settle_idle(wind, carrier, b, work, fits)) return;
        if (fits) {
            carrier.first_order(b, work.flow, work.field.data(), lost[static_cast<std::size_t>(b)]);
        } else {
            auto far = far_flow(wind);
            std::array<FarReader<D>, most_fields> field;
            for (std::size_t f = 0; f < carrier.fields(); ++f) carrier.load(f, field[f]);
            carrier.first_order(b, far, field.data(), lost[static_cast<std::size_t>(b)]);
        }
    });
    for (const auto& cells : lost) hidden.insert(hidden.end(), cells.begin(), cells.end());
    if (!corrected) return;
    carrier.begin_correction();
    parallel_for("correct cells", bricks, [&](std::ptrdiff_t b) {
        auto& work = thread_scratch<Workspace<D>>();
        bool fits = false;
        if (settle_idle(wind, carrier, b, work, fits)) return;
        if (fits) {
            for (std::size_t f = 0; f < carrier.fields(); ++f) carrier.load_round(f, b, work.round[f]);
            carrier.second_order(b, work.flow, work.field.data(), work.round.data());
        } else {
            auto far = far_flow(wind);
            std::array<FarReader<D>, most_fields> field, round;
            for (std::size_t f = 0; f < carrier.fields(); ++f)
                carrier.load(f, field[f]), carrier.load_round(f, round[f]);
            carrier.second_order(b, far, field.data(), round.data());
        }
    });
}

template <int D>
std::vector<Coord<D>> fill_hidden(const Wind<D>& wind, const Field<D, std::uint8_t>& solid,
                                  std::vector<Coord<D>> hidden, std::span<Field<D, double>* const> fields) {
    const auto order = [](const Coord<D>& a, const Coord<D>& b) {
        return std::lexicographical_compare(a.data(), a.data() + D, b.data(), b.data() + D);
    };
    std::sort(hidden.begin(), hidden.end(), order);
    std::erase_if(hidden, [&](const Coord<D>& c) { return solid.at(c) != 0; });
    std::vector<std::pair<Coord<D>, std::array<double, most_fields>>> found;
    while (!hidden.empty()) {
        found.clear();
        for (const Coord<D>& cell : hidden) {
            std::array<double, most_fields> sum{};
            int known = 0;
            for (int a = 0; a < D; ++a)
                for (int step : {-1, 1}) {
                    Coord<D> next = cell;
                    next[a] += step;
                    if (!wind.grid.contains(next) || solid.at(next) != 0 ||
                        std::binary_search(hidden.begin(), hidden.end(), next, order))
                        continue;
                    if (wind.obstacles != nullptr &&
                        wind.obstacles->hides_after(wind.grid.cell_centre(cell), wind.grid.cell_centre(next)))
                        continue;
                    ++known;
                    for (std::size_t f = 0; f < fields.size(); ++f) sum[f] += fields[f]->at(next);
                }
            if (known == 0) continue;
            for (auto& s : sum) s /= known;
            found.emplace_back(cell, sum);
        }
        if (found.empty()) break;
        for (const auto& [cell, value] : found) {
            for (std::size_t f = 0; f < fields.size(); ++f) fields[f]->ref(cell) = value[f];
            hidden.erase(std::lower_bound(hidden.begin(), hidden.end(), cell, order));
        }
    }
    return hidden;
}

#define TIDELOCK_INSTANTIATE(D)                                                                                      \
    template void advect_velocity(const Wind<D>&, Transport, FaceField<D, double>&);                                 \
    template void advect_cells(const Wind<D>&, Transport, std::span<const Field<D, double>* const>,                  \
                               std::span<Field<D, double>* const>, std::vector<Coord<D>>&);                          \
    template std::vector<Coord<D>> fill_hidden(const Wind<D>&, const Field<D, std::uint8_t>&, std::vector<Coord<D>>, \
                                               std::span<Field<D, double>* const>);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
