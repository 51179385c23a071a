#include "ideal_column.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tidelock::validation {

namespace {

/// An element's integrals for the point x: of ln r, of its derivative along the normal, and of that times the share of
/// the length that lies behind.
struct Influence {
    double source, dipole, rising_dipole;
};

Influence influence(const Vec2& begin, const Vec2& end, const Vec2& x) {
    const Vec2 along = end - begin;
    const double length = along.norm();
    const Vec2 tangent = along / length, normal(-tangent[1], tangent[0]);  // out of the fluid
    const double s = (x - begin).dot(tangent), h = (x - begin).dot(normal);
    const double ln_begin = std::log(s * s + h * h), ln_end = std::log((length - s) * (length - s) + h * h);
    // On the element's own line nothing is subtended, and rounding must not decide the sign.
    const double angle = std::abs(h) > 1e-13 * length ? std::atan((length - s) / h) + std::atan(s / h) : 0;
    return {0.5 * ((length - s) * ln_end + s * ln_begin) - length + h * angle, -angle,
            (-s * angle - 0.5 * h * (ln_end - ln_begin)) / length};
}

/// Distances from the toe of the nodes of a face of this length.
std::vector<double> face_nodes(double length, double finest, double coarsest) {
    constexpr double growth = 1.08;
    std::vector<double> out{0};
    for (double next = finest; out.back() < length; next = std::min(coarsest, growth * next))
        out.push_back(out.back() + next);
    const double scale = length / out.back();
    for (double& distance : out) distance *= scale;
    return out;
}

}  // namespace

IdealColumn::IdealColumn(double height, int across, double finest) : across_(across), finest_(finest) {
    for (int i = 0; i < across; ++i) surface_.place.emplace_back(static_cast<double>(i) / across, height);
    auto distances = face_nodes(height, finest, 1.0 / across);
    std::reverse(distances.begin(), distances.end());
    for (const double d : distances) surface_.place.emplace_back(1, d);
    surface_.potential.assign(surface_.place.size(), 0);
}

/// Speed out of each element, from Green's third identity at their midpoints. The potential is linear on an element,
/// the speed constant; images in the wall and the floor stand for both.
std::vector<double> IdealColumn::normal_speed(const Nodes& surface) {
    const auto& [place, potential] = surface;
    const auto elements = static_cast<std::ptrdiff_t>(place.size()) - 1;
    Eigen::MatrixXd sources = Eigen::MatrixXd::Zero(elements, elements);
    Eigen::VectorXd right(elements);
    for (std::ptrdiff_t i = 0; i < elements; ++i) {
        const auto here = static_cast<std::size_t>(i);
        const Vec2 middle = 0.5 * (place[here] + place[here + 1]);
        right[i] = -std::numbers::pi * 0.5 * (potential[here] + potential[here + 1]);
        for (std::ptrdiff_t j = 0; j < elements; ++j) {
            const auto e = static_cast<std::size_t>(j);
            for (const double sx : {1.0, -1.0})
                for (const double sy : {1.0, -1.0}) {
                    // An image's integral for x is the element's for the image of x.
                    const auto part = influence(place[e], place[e + 1], Vec2(sx * middle[0], sy * middle[1]));
                    sources(i, j) += part.source;
                    right[i] +=
                        potential[e] * (part.dipole - part.rising_dipole) + potential[e + 1] * part.rising_dipole;
                }
        }
    }
    const Eigen::VectorXd speed = sources.partialPivLu().solve(right);
    return {speed.begin(), speed.end()};
}

IdealColumn::Nodes IdealColumn::rate(const Nodes& surface) {
    const auto& [place, potential] = surface;
    const auto normal = normal_speed(surface);
    const std::size_t elements = normal.size();
    std::vector<Vec2> velocity(elements);
    std::vector<double> length(elements);
    for (std::size_t e = 0; e < elements; ++e) {
        const Vec2 along = place[e + 1] - place[e];
        length[e] = along.norm();
        const Vec2 tangent = along / length[e];
        velocity[e] =
            (potential[e + 1] - potential[e]) / length[e] * tangent + normal[e] * Vec2(-tangent[1], tangent[0]);
    }
    Nodes out;
    for (std::size_t i = 0; i <= elements; ++i) {
        Vec2 u;
        if (i == 0)
            u = {0, velocity.front()[1]};
        else if (i == elements)
            u = {velocity.back()[0], 0};
        else
            u = (length[i] * velocity[i - 1] + length[i - 1] * velocity[i]) / (length[i] + length[i - 1]);
        out.place.push_back(u);
        out.potential.push_back(0.5 * u.squaredNorm() - place[i][1]);  // Bernoulli, following the fluid
    }
    return out;
}

IdealColumn::Nodes IdealColumn::moved(Nodes surface, const Nodes& rate, double dt) {
    for (std::size_t i = 0; i < surface.place.size(); ++i) {
        surface.place[i] += dt * rate.place[i];
        surface.potential[i] += dt * rate.potential[i];
    }
    return surface;
}

void IdealColumn::step(double dt) {
    const Nodes a = rate(surface_), b = rate(moved(surface_, a, 0.5 * dt)), c = rate(moved(surface_, b, 0.5 * dt)),
                d = rate(moved(surface_, c, dt));
    surface_ = moved(moved(moved(moved(surface_, a, dt / 6), b, dt / 3), c, dt / 3), d, dt / 6);
    time_ += dt;
    space_nodes();
}

/// Fluid flows into the toe and its points crowd there. They are spread again, by cubic interpolation over the length
/// of the surface: on either side of the corner, and on across the mirrors.
void IdealColumn::space_nodes() {
    struct Point {
        double along;
        Vec2 place;
        double potential;
    };
    const auto last = static_cast<std::ptrdiff_t>(surface_.place.size()) - 1;
    std::vector<Point> points;
    for (std::size_t i = 0; i < surface_.place.size(); ++i) {
        const double step = i > 0 ? (surface_.place[i] - surface_.place[i - 1]).norm() : 0;
        points.push_back({i > 0 ? points.back().along + step : 0, surface_.place[i], surface_.potential[i]});
    }
    const double whole = points.back().along, top = points[static_cast<std::size_t>(across_)].along;
    const auto point = [&](std::ptrdiff_t i) -> Point {
        if (i < 0) {
            const Point& image = points[static_cast<std::size_t>(-i)];
            return {-image.along, Vec2(-image.place[0], image.place[1]), image.potential};
        }
        if (i > last) {
            const Point& image = points[static_cast<std::size_t>(2 * last - i)];
            return {2 * whole - image.along, Vec2(image.place[0], -image.place[1]), image.potential};
        }
        return points[static_cast<std::size_t>(i)];
    };
    Nodes out;
    const auto add = [&](double along, std::ptrdiff_t begin, std::ptrdiff_t end) {
        std::ptrdiff_t first = begin;
        while (first + 1 < end && point(first + 1).along < along) ++first;
        --first;
        if (begin == across_) first = std::max(first, across_);
        if (end == across_) first = std::min(first, across_ - 3);
        const std::array<Point, 4> near{point(first), point(first + 1), point(first + 2), point(first + 3)};
        Vec2 place = Vec2::Zero();
        double potential = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            double weight = 1;
            for (std::size_t k = 0; k < 4; ++k)
                if (k != j) weight *= (along - near[k].along) / (near[j].along - near[k].along);
            place += weight * near[j].place;
            potential += weight * near[j].potential;
        }
        out.place.push_back(place);
        out.potential.push_back(potential);
    };
    for (std::ptrdiff_t i = 0; i < across_; ++i)
        add(top * static_cast<double>(i) / static_cast<double>(across_), 0, across_);
    auto distances = face_nodes(whole - top, finest_, 1.0 / static_cast<double>(across_));
    std::reverse(distances.begin(), distances.end());
    for (const double d : distances) add(whole - d, across_, last);
    // What lies on a mirror stays on it, exactly.
    out.place.front()[0] = 0;
    out.place.back()[1] = 0;
    surface_ = std::move(out);
}

double IdealColumn::volume() const {
    double sum = 0;
    for (std::size_t i = 1; i < surface_.place.size(); ++i) {
        const Vec2 &a = surface_.place[i - 1], &b = surface_.place[i];
        sum += 0.5 * (a[1] * b[0] - a[0] * b[1]);
    }
    return sum;
}

/// Kinetic: half the potential times the flow out of the surface. Potential: half the height squared, over the width.
double IdealColumn::energy() const {
    const auto normal = normal_speed(surface_);
    double sum = 0;
    for (std::size_t i = 1; i < surface_.place.size(); ++i) {
        const Vec2 &a = surface_.place[i - 1], &b = surface_.place[i];
        sum += 0.25 * (surface_.potential[i - 1] + surface_.potential[i]) * normal[i - 1] * (b - a).norm();
        sum += (a[1] * a[1] + a[1] * b[1] + b[1] * b[1]) / 6 * (b[0] - a[0]);
    }
    return sum;
}

}  // namespace tidelock::validation
