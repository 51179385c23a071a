#include "solid/yielding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace tidelock {

namespace {

/// Of the contact distance: what surfaces keep. A film of fluid a tenth of a cell thin has no faces to flow through
/// (numerics/interface 3).
constexpr double film_share = 0.2;
constexpr double spare_share = 0.5;   ///< of the room that need not be given: given too, so that sweeps find their way
constexpr double stuck_share = 0.02;  ///< of the speeds that impulses give: what they may leave if they hold each other
constexpr double real_share = 1e-6;   ///< of the speeds that are prescribed: what is missing by less is rounding
constexpr double least_part = 1e-3;   ///< of the speeds that impulses give: a motor with less has no part in a jam
constexpr int most_rounds = 4;        ///< of giving way; each concerns contacts that press on each other

/// Contacts that press on each other without end.
template <int D>
struct Jam {
    std::vector<Vec<D>> more;   ///< per contact: what the last sweeps added to the impulses
    std::vector<double> push;   ///< per contact: part of the normal impulses that move nothing; empty: there is none
    std::vector<double> given;  ///< per contact: normal speed that is prescribed [m/s]
    std::vector<bool> bounded;  ///< per contact: a motor, whose impulse has an end
    double missing = 0;         ///< push . (targets - given)
    double size = 0;            ///< push . |given|
};

template <int D>
class Yielding {
  public:
    Yielding(const NormalRows<D>& rows, const Mobilities<D>& mobilities, const ImpulseOptions& options)
        : rows_(rows), mobilities_(mobilities), options_(options) {}

    /// What more sweeps go on adding; `twists` and `impulses`: what they were left with.
    [[nodiscard]] Jam<D> find(const std::vector<Twist<D>>& twists, const std::vector<Vec<D>>& impulses) const {
        Jam<D> jam;
        bool driven = false;
        for (const auto& c : rows_.contacts) {
            jam.given.push_back(given_speed(c, 0, twists));
            jam.bounded.push_back(std::isfinite(c.most) || c.least < 0);
            driven = driven || jam.given.back() != 0 || jam.bounded.back();
        }
        if (!driven) return jam;
        std::vector<Twist<D>> after = twists;
        // solve_impulses() gives the impulses that it starts from first.
        for (std::size_t i = 0; i < rows_.contacts.size(); ++i) add(rows_.contacts[i], -impulses[i], after);
        std::vector<Vec<D>> more = impulses;
        (void)solve_impulses<D>(rows_.contacts, rows_.targets, mobilities_, options_, after, more);
        std::vector<double> push;
        double fastest = 0, left = 0, missing = 0, size = 0;
        for (std::size_t i = 0; i < more.size(); ++i) {
            const auto& c = rows_.contacts[i];
            const double added = more[i][0] - impulses[i][0];
            push.push_back(jam.bounded[i] ? added : std::max(0.0, added));
            fastest = std::max(fastest, std::abs(push.back()) * mobilities_.free_gain(c.a, c.b, c.rows[0]));
            left = std::max(left, std::abs(speed(c, after) - speed(c, twists)));
            missing += push[i] * (rows_.targets[i] - jam.given[i]);
            for (std::size_t k = 1; k < D; ++k)
                missing -= (more[i] - impulses[i])[static_cast<Eigen::Index>(k)] * given_speed(c, k, twists);
            size += std::abs(push[i]) * (std::abs(jam.given[i]) + (jam.bounded[i] ? std::abs(rows_.targets[i]) : 0.0));
        }
        if (left > stuck_share * fastest || !(missing > real_share * size)) return jam;
        // Contacts of one pair may only have handed impulses to each other: what was added must hold itself.
        std::vector<Twist<D>> pushed(twists.size(), Twist<D>::Zero());
        for (std::size_t i = 0; i < more.size(); ++i)
            if (push[i] != 0) add(rows_.contacts[i], more[i] - impulses[i], pushed);
        for (const auto& c : rows_.contacts)
            if (std::abs(speed(c, pushed)) > stuck_share * fastest) return jam;
        for (std::size_t i = 0; i < more.size(); ++i) jam.more.push_back(more[i] - impulses[i]);
        jam.push = std::move(push);
        jam.missing = missing;
        jam.size = size;
        return jam;
    }

    /// Goes on adding until a motor has given all it has; false if there is none in the jam.
    [[nodiscard]] bool spend_motors(const Jam<D>& jam, std::vector<Vec<D>>& impulses) const {
        double most = 0, times = std::numeric_limits<double>::infinity();
        const auto speed_given = [&](std::size_t i) {
            const ContactPoint<D>& c = rows_.contacts[i];
            return std::abs(jam.push[i]) * mobilities_.free_gain(c.a, c.b, c.rows[0]);
        };
        for (std::size_t i = 0; i < jam.push.size(); ++i) most = std::max(most, speed_given(i));
        for (std::size_t i = 0; i < jam.push.size(); ++i) {
            if (!jam.bounded[i] || speed_given(i) < least_part * most) continue;
            const double end = jam.push[i] > 0 ? rows_.contacts[i].most : rows_.contacts[i].least;
            times = std::min(times, (end - impulses[i][0]) / jam.push[i]);
        }
        if (!std::isfinite(times)) return false;
        for (std::size_t i = 0; i < impulses.size(); ++i) impulses[i] += times * jam.more[i];
        return true;
    }

    /// Lets rows give way; false if they cannot by enough.
    [[nodiscard]] bool give_way(const Jam<D>& jam) const {
        std::vector<double> least(jam.push.size());
        double possible = 0;
        for (std::size_t i = 0; i < least.size(); ++i) {
            const ContactPoint<D>& c = rows_.contacts[i];
            const double film = film_share * (c.distance - c.gap);
            // A limit of a joint has no distance.
            least[i] =
                std::min(rows_.targets[i], film > 0 ? std::min(0.0, (film - c.distance) / rows_.dt) : rows_.targets[i]);
            possible += jam.push[i] * (rows_.targets[i] - least[i]);
        }
        if (!(possible > jam.missing)) return false;
        const double needed = jam.missing / possible, share = needed + spare_share * (1 - needed);
        // All contacts of a pair alike: one that the sweeps did not need would turn the bodies around it.
        std::set<std::pair<int, int>> pairs;
        for (std::size_t i = 0; i < least.size(); ++i)
            if (jam.push[i] > 0 && !jam.bounded[i]) pairs.emplace(rows_.contacts[i].a, rows_.contacts[i].b);
        for (std::size_t i = 0; i < least.size(); ++i)
            if (pairs.contains({rows_.contacts[i].a, rows_.contacts[i].b}))
                rows_.targets[i] -= share * (rows_.targets[i] - least[i]);
        return true;
    }

    /// Who is pushed by what is prescribed, most of all.
    [[nodiscard]] NoRoom worst(const Jam<D>& jam) const {
        NoRoom out;
        double most = 0;
        for (std::size_t i = 0; i < jam.push.size(); ++i) {
            const ContactPoint<D>& c = rows_.contacts[i];
            const double pushed = -jam.push[i] * jam.given[i];
            if (!(pushed > most) || c.distance == c.gap) continue;
            most = pushed;
            out = {i, mobilities_.answers(c.a) ? c.a : c.b};
        }
        return out;
    }

  private:
    [[nodiscard]] double given_speed(const ContactPoint<D>& c, std::size_t k,
                                     const std::vector<Twist<D>>& twists) const {
        double sum = 0;
        if (!mobilities_.answers(c.a)) sum += c.rows[k].a.dot(twists[static_cast<std::size_t>(c.a)]);
        if (c.b >= 0 && !mobilities_.answers(c.b)) sum += c.rows[k].b.dot(twists[static_cast<std::size_t>(c.b)]);
        return sum;
    }
    [[nodiscard]] static double speed(const ContactPoint<D>& c, const std::vector<Twist<D>>& twists) {
        const double a = c.rows[0].a.dot(twists[static_cast<std::size_t>(c.a)]);
        return c.b >= 0 ? a + c.rows[0].b.dot(twists[static_cast<std::size_t>(c.b)]) : a;
    }
    void add(const ContactPoint<D>& c, const Vec<D>& impulse, std::vector<Twist<D>>& twists) const {
        for (std::size_t k = 0; k < D; ++k)
            mobilities_.answer(c.a, c.b, c.rows[k], [&](int body, const Twist<D>& gained) {
                twists[static_cast<std::size_t>(body)] += impulse[static_cast<Eigen::Index>(k)] * gained;
            });
    }

    const NormalRows<D>& rows_;
    const Mobilities<D>& mobilities_;
    const ImpulseOptions& options_;
};

}  // namespace

template <int D>
ImpulseReport solve_yielding(const NormalRows<D>& rows, const Mobilities<D>& mobilities, const ImpulseOptions& options,
                             std::vector<Twist<D>>& twists, std::vector<Vec<D>>& impulses, NoRoom& no_room) {
    const Yielding<D> yielding(rows, mobilities, options);
    const std::vector<Twist<D>> came_with = twists;
    const std::vector<Vec<D>> start = impulses;
    ImpulseReport report = solve_impulses<D>(rows.contacts, rows.targets, mobilities, options, twists, impulses);
    for (int round = 0; round < most_rounds && !report.converged; ++round) {
        const Jam<D> jam = yielding.find(twists, impulses);
        if (jam.push.empty()) return report;
        if (!yielding.spend_motors(jam, impulses)) {
            if (!yielding.give_way(jam)) {
                no_room = yielding.worst(jam);
                return report;
            }
            impulses = start;
        }
        twists = came_with;
        const ImpulseReport again =
            solve_impulses<D>(rows.contacts, rows.targets, mobilities, options, twists, impulses);
        const double first = report.first_change, seconds = report.seconds;
        report = again;
        report.first_change = first;
        report.seconds += seconds;
    }
    return report;
}

#define TIDELOCK_INSTANTIATE(D)                                                                              \
    template ImpulseReport solve_yielding(const NormalRows<D>&, const Mobilities<D>&, const ImpulseOptions&, \
                                          std::vector<Twist<D>>&, std::vector<Vec<D>>&, NoRoom&);
TIDELOCK_INSTANTIATE(2)
TIDELOCK_INSTANTIATE(3)
#undef TIDELOCK_INSTANTIATE

}  // namespace tidelock
