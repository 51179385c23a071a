/// The pressure problems that the solvers are measured on; the tests use them too.
///
/// Cell size 1, fluid density 1, so that a full face has conductance h^(d-2)/rho = 1. y points up.
///   domain  closed   a closed box
///           open     the same with an open top: p = 0 in the cells above it
///           surface  about 40 % filled, wavy free surface with ghost-fluid coefficients 1/theta (numerics/surface 4),
///                    closed elsewhere
///           sparse   a wavy layer on the floor that fills 3 % of the domain; only bricks that hold liquid are active
///   body    static   a tilted block of 0.4 x 0.24 x 0.4 of the width, voxelised, its faces closed
///           dynamic  the block as a rigid body of density `ratio` (numerics/coupling 3): K^T Mbar^-1 K
///           eight    eight smaller rigid bodies of densities 0.01 ... 100 at different tilts
///           jump     the block is a fluid of density 1000: face coefficient 2 / (rho_i + rho_j)
/// Right-hand side: minus the integrated divergence of a smooth velocity plus a random one, closed at walls and static
/// bodies; dynamic bodies fall and turn. Its mean is removed where the operator is singular.
#pragma once

#include <string>
#include <vector>

#include "solve/poisson_operator.h"
#include "solve/rigid_terms.h"

namespace tidelock::bench {

struct ProblemSpec {
    std::string domain = "closed";
    std::string body = "static";
    double ratio = 1;  ///< [-] density of the dynamic block over the fluid's

    [[nodiscard]] std::string name() const;
};

template <int D>
struct PoissonProblem {
    ProblemSpec spec;
    Coord<D> cells;
    BrickSetPtr<D> set;
    double uniform = 1;
    typename PoissonOperator<D>::Author author;
    std::vector<double> rhs;  ///< as the operator's vectors; zero where there is no unknown
    RigidTerms<D> bodies;     ///< empty unless the body is dynamic or eight
    bool singular = false;    ///< one region, constants in the null space
    std::ptrdiff_t fluid_cells = 0;

    [[nodiscard]] PoissonOperator<D> make_operator() const { return PoissonOperator<D>(set, uniform, author); }
};

/// Throws InputError for an unknown domain or body. The same bits each time and on any number of threads.
template <int D>
PoissonProblem<D> make_problem(const ProblemSpec& spec, const Coord<D>& cells);

}  // namespace tidelock::bench
