#include "random/watch.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "scene/shapes.h"
#include "solid/contact.h"
#include "state/walk.h"

namespace tidelock {

namespace {

/// Looks for numbers that are not.
struct FiniteVisitor {
    std::set<std::string> wrong;

    template <int D>
    void bricks(const std::string&, const BrickSetPtr<D>&) {}
    template <int D, class T>
    void field(const std::string& name, const Field<D, T>& field) {
        if (!field.set_ptr()) return;
        for (const T& value : field.values())
            if (!std::isfinite(static_cast<double>(value))) wrong.insert(name);
    }
    template <class Record>
    void one(const std::string& name, const Record& record) {
        look(name, &record, 1);
    }
    template <class Record>
    void list(const std::string& name, const ListCount&, const std::vector<Record>& records) {
        look(name, records.data(), records.size());
    }
    template <class Record>
    void look(const std::string& name, const Record* records, std::size_t count) {
        for_each_column(name, records, count, [&](const std::string& member, const auto& column) {
            for (std::size_t i = 0; i < column.rows; ++i)
                for (const auto number : column.row(i))
                    if (!std::isfinite(static_cast<double>(number))) wrong.insert(member);
        });
    }
};

constexpr double focus = 3;  ///< a flow that closes a gap throws a jet some times as fast as it is itself

void raise(double& worst, double value) { worst = std::max(worst, value); }

/// How far the volume may be off: a share of all that there has been, and how far the surface of a cube of it may have
/// moved, which is what little liquid consists of.
struct Kept {
    double share, cells;
};
/// `displacement` takes back within the step what is more than a quarter of a cell; `divergence` takes nine tenths back in
/// 25 steps, more than are played here; with `none` thin sheets and drops are lost, of level sets most.
Kept kept_by(const scene::LiquidOptions& liquid) {
    if (liquid.volume_correction == DriftCorrection::displacement) return {0.03, 0.25};
    const bool counted =
        liquid.surface == LiquidSurface::particles && liquid.transport != LiquidTransport::narrow_band_flip;
    return counted ? Kept{0.05, 0.5} : Kept{0.1, 0.75};
}

/// How far a body reaches beyond closed sides [m].
template <int D>
double beyond(const Domain<D>& domain, const RigidBody<D>& body) {
    double most = 0;
    if (!body.samples) return most;
    const Vec<D> upper = domain.grid.upper();
    for (const Vec<D>& point : body.samples->points()) {
        const Vec<D> x = body.pose().to_world(point);
        for (int a = 0; a < D; ++a) {
            if (!domain.sides.is_open(a, 0)) most = std::max(most, -x[a]);
            if (!domain.sides.is_open(a, 1)) most = std::max(most, x[a] - upper[a]);
        }
    }
    return most;
}

}  // namespace

template <int D>
Watch<D>::Watch(const scene::Scene& scene, const Session<D>& session) : scene_(scene), energy_(scene, session) {
    const auto see = [&](const Vec<D>& v) { fastest_given_ = std::max(fastest_given_, v.norm()); };
    for (const auto& source : scene.fluid.sources)
        if (source.velocity) see(scene::to_vec<D>(*source.velocity));
    for (const auto& initial : scene.fluid.initial) see(scene::to_vec<D>(initial.velocity));
    for (const auto& body : session.world().solids.bodies)
        if (body.dynamic())
            fastest_given_ =
                std::max(fastest_given_, body.velocity.norm() + body.radius * body.angular_velocity().norm());
}

template <int D>
void Watch<D>::fault(const Session<D>& session, const std::string& text) {
    if (faults_.size() < 5) faults_.push_back(fmt::format("step {}: {}", session.steps(), text));
}

template <int D>
void Watch<D>::finite(const Session<D>& session) {
    FiniteVisitor visitor;
    walk<D>(visitor, session.world());
    for (const std::string& name : visitor.wrong) fault(session, "not finite: " + name);
}

template <int D>
void Watch<D>::solves(const Session<D>& session, const StepReport<D>& report) {
    for (const NamedSolve& solve : report.solves)
        if (solve.name != "contact" && solve.name != "rounds" && !solve.report.converged())
            fault(session, fmt::format("the solve '{}' did not converge: {} after {}, residual {:.3g}", solve.name,
                                       to_string(solve.report.status), solve.report.iterations, solve.report.residual));
    const double h = session.world().domain.grid.dx;
    const bool closed = std::any_of(report.notes.begin(), report.notes.end(), [](const StepNote& note) {
        return note.kind == "volume" || note.kind.starts_with("sealed");
    });
    const double scale = std::max(report.flow.max_speed, 9.81 * report.dt) / h;
    if (!closed) raise(worst_.divergence, report.flow.max_divergence / (1e-2 * scale));
}

/// What falls through the domain's height, starts or is driven with a speed; what moving solids press through a gap of
/// half a cell is faster by their width over that.
template <int D>
double Watch<D>::allowed_speed(const Session<D>& session) const {
    const World<D>& world = session.world();
    const double h = world.domain.grid.dx, g = world.domain.gravity.norm();
    double movers = 0, width = 0;
    for (const RigidBody<D>& body : world.solids.bodies) {
        if (body.type == BodyType::fixed) continue;
        width = std::max(width, std::min(2 * body.radius, h * world.domain.grid.cells.maxCoeff()));
        if (body.type == BodyType::kinematic)
            movers = std::max(movers, body.velocity.norm() + body.radius * body.angular_velocity().norm());
    }
    const double speed = std::sqrt(2 * g * energy_.height() + fastest_given_ * fastest_given_ + 4 * movers * movers);
    return speed * std::max(focus, 0.5 * width / h);
}

template <int D>
void Watch<D>::speeds(const Session<D>& session, const StepReport<D>& report) {
    const World<D>& world = session.world();
    raise(worst_.speed, report.flow.max_speed / allowed_speed(session));
    if (!world.has_liquid()) return;
    double fastest = 0;
    for (const Vec<D>& v : world.liquid().particles.velocity) fastest = std::max(fastest, v.cwiseAbs().maxCoeff());
    const double least = world.domain.gravity.norm() * report.dt;
    raise(worst_.sample, fastest / (1.2 * std::max(report.flow.max_speed, least)));
}

template <int D>
void Watch<D>::volume(const Session<D>& session) {
    const World<D>& world = session.world();
    if (!world.has_liquid()) return;
    const VolumeLedger& ledger = world.liquid().ledger;
    const Grid<D>& grid = world.domain.grid;
    const double cell = power(grid.dx, D), all = std::max(ledger.expected, 0.0) + ledger.drained;
    const double cells = std::max(1.0, all / cell);
    const double surface = 2 * D * (D == 2 ? std::sqrt(cells) : std::pow(cells, 2.0 / 3));
    const Kept kept = kept_by(scene_.fluid.liquid);
    const double allowed = kept.share * all + kept.cells * surface * cell;
    raise(worst_.drift, std::abs(ledger.present - ledger.expected) / allowed);
    if (!(ledger.expected > -allowed)) fault(session, fmt::format("the ledger expects {:.3g}", ledger.expected));
}

template <int D>
void Watch<D>::places(const Session<D>& session, const StepReport<D>& report) {
    const World<D>& world = session.world();
    const Grid<D>& grid = world.domain.grid;
    raise(worst_.penetration, report.max_penetration / (0.25 * grid.dx));
    for (const RigidBody<D>& body : world.solids.bodies)
        if (body.dynamic()) raise(worst_.outside, beyond<D>(world.domain, body) / (1e-3 * grid.dx));
    if (!world.has_liquid()) return;
    double most = 0;
    for (const Vec<D>& x : world.liquid().particles.position)
        most = std::max({most, -x.minCoeff(), (x - grid.upper()).maxCoeff()});
    raise(worst_.outside, most / (1e-3 * grid.dx));
}

template <int D>
void Watch<D>::step(const Session<D>& session, const StepDone<D>& done) {
    finite(session);
    solves(session, done.report);
    speeds(session, done.report);
    volume(session);
    places(session, done.report);
    energy_.step(session, done.report);
    if (energy_.judged()) raise(worst_.energy, energy_.excess() / 0.02);
    for (const std::string& text : done.report.failures) fault(session, "failed: " + text);
}

template class Watch<2>;
template class Watch<3>;

}  // namespace tidelock
