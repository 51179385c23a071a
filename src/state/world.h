/// The whole state of a simulation at one instant, and nothing else: it can be saved, copied and compared bit for bit
/// (state/walk.h).
///
/// Rule     What flows is state; what a user set is not: sources, drains and material numbers are parameters of the
///          methods' stages. The domain and the bodies' shapes are here because everything refers to them; they do not
///          change.
#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

#include "fluid/liquid.h"
#include "fluid/smoke.h"
#include "state/domain.h"
#include "state/solids.h"

namespace tidelock {

struct Clock {
    double time = 0;         ///< [s]
    std::int64_t step = 0;   ///< steps taken
    std::int64_t frame = 0;  ///< frames finished; frame 0 is the start

    void advance(double dt) { time += dt, ++step; }
};

template <int D>
using Fluid = std::variant<std::monostate, Smoke<D>, Liquid<D>>;

template <int D>
struct World {
    Clock clock;
    Domain<D> domain;
    Fluid<D> fluid;
    Solids<D> solids;

    [[nodiscard]] bool has_smoke() const { return std::holds_alternative<Smoke<D>>(fluid); }
    [[nodiscard]] bool has_liquid() const { return std::holds_alternative<Liquid<D>>(fluid); }
    /// The fluid must be of that kind.
    [[nodiscard]] Smoke<D>& smoke() { return std::get<Smoke<D>>(fluid); }
    [[nodiscard]] const Smoke<D>& smoke() const { return std::get<Smoke<D>>(fluid); }
    [[nodiscard]] Liquid<D>& liquid() { return std::get<Liquid<D>>(fluid); }
    [[nodiscard]] const Liquid<D>& liquid() const { return std::get<Liquid<D>>(fluid); }

    /// Of whatever fluid there is: every kind has them. There must be one.
    [[nodiscard]] const FaceField<D, double>& velocity() const {
        return *std::visit(
            []<class F>(const F& f) -> const FaceField<D, double>* {
                if constexpr (std::is_same_v<F, std::monostate>)
                    throw std::bad_variant_access();
                else
                    return &f.velocity;
            },
            fluid);
    }
    [[nodiscard]] Field<D, double>& pressure() {
        return *std::visit(
            []<class F>(F& f) -> Field<D, double>* {
                if constexpr (std::is_same_v<F, std::monostate>)
                    throw std::bad_variant_access();
                else
                    return &f.pressure;
            },
            fluid);
    }
};

}  // namespace tidelock
