#include "geometry/mesh_repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "geometry/mesh_doctor.h"
#include "geometry/mesh_topology.h"

namespace tidelock {
namespace {

void turn(std::array<int, 3>& triangle) { std::swap(triangle[1], triangle[2]); }

/// Loops of points along which triangles are missing, each in the direction the missing triangles run.
std::vector<std::vector<int>> hole_loops(const MeshTopology& topology) {
    std::multimap<int, int> next;
    for (std::size_t e = 0; e < topology.edge_count(); ++e) {
        const auto uses = topology.uses(e);
        if (uses.size() != 1) continue;
        if (uses[0].forward) {
            next.emplace(uses[0].high, uses[0].low);
        } else {
            next.emplace(uses[0].low, uses[0].high);
        }
    }
    std::vector<std::vector<int>> loops;
    while (!next.empty()) {
        std::vector<int> path{next.begin()->first};
        for (auto step = next.begin(); step != next.end(); step = next.find(path.back())) {
            path.push_back(step->second);
            next.erase(step);
            // A point met again closes a loop; where holes touch in a point each gets its own.
            const auto start = std::find(path.begin(), path.end() - 1, path.back());
            if (start == path.end() - 1) continue;
            loops.emplace_back(start, path.end() - 1);
            path.erase(start + 1, path.end());
        }
    }
    return loops;
}

}  // namespace

std::vector<std::string> repair_orientation(TriangleMesh& mesh) {
    std::vector<std::string> messages;
    const MeshTopology before(mesh);
    const Orientation orientation = find_orientation(before, mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (orientation.turn[t]) turn(mesh.triangles[t]);
    }
    if (orientation.flipped > 0) messages.push_back(fmt::format("turned {} flipped triangles", orientation.flipped));
    if (orientation.one_sided_patches > 0) {
        messages.push_back(fmt::format("left {} one-sided patches alone", orientation.one_sided_patches));
    }

    const MeshTopology topology(mesh);
    const auto closed = closed_components(topology);
    const auto volumes = component_volumes(mesh, topology);
    const auto signs = expected_signs(mesh, topology, closed, volumes);
    int turned = 0;
    for (int c = 0; c < topology.component_count(); ++c) turned += closed[c] && volumes[c] * signs[c] < 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const int c = topology.component()[t];
        if (closed[c] && volumes[c] * signs[c] < 0) turn(mesh.triangles[t]);
    }
    if (turned > 0) messages.push_back(fmt::format("turned {} inside-out components", turned));
    return messages;
}

std::vector<std::string> fill_holes(TriangleMesh& mesh) {
    std::vector<std::string> messages;
    for (const auto& loop : hole_loops(MeshTopology(mesh))) {
        const int n = static_cast<int>(loop.size());
        if (n < 3) continue;  // a crack of zero width between two single triangles: orientation is inconsistent
        Vec3 centre = Vec3::Zero();
        for (const int i : loop) centre += mesh.points[i] / n;
        if (n == 3) {
            mesh.triangles.push_back({loop[0], loop[1], loop[2]});
        } else {
            const int hub = static_cast<int>(mesh.points.size());
            mesh.points.push_back(centre);
            for (int k = 0; k < n; ++k) mesh.triangles.push_back({loop[k], loop[(k + 1) % n], hub});
        }
        messages.push_back(fmt::format("filled a hole of {} edges around [{:.6g}, {:.6g}, {:.6g}]", n, centre.x(),
                                       centre.y(), centre.z()));
    }
    return messages;
}

std::vector<std::string> remove_redundant(TriangleMesh& mesh) {
    // Per set of three points: the sum of orientations says what remains.
    struct Group {
        int sum = 0;
        std::size_t keep[2] = {0, 0};  // one triangle of each orientation
    };
    const auto key = [](std::array<int, 3> t) {
        std::sort(t.begin(), t.end());
        return t;
    };
    const auto even = [](const std::array<int, 3>& t) {  // orientation relative to ascending order
        return ((t[0] > t[1]) + (t[0] > t[2]) + (t[1] > t[2])) % 2 == 0;
    };
    std::map<std::array<int, 3>, Group> groups;
    const auto repeats = [](const std::array<int, 3>& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; };
    int collapsed = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& triangle = mesh.triangles[t];
        if (repeats(triangle)) {
            ++collapsed;
            continue;
        }
        Group& group = groups[key(triangle)];
        group.sum += even(triangle) ? 1 : -1;
        group.keep[even(triangle)] = t;
    }
    std::vector<std::array<int, 3>> kept;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& triangle = mesh.triangles[t];
        if (repeats(triangle)) continue;
        const Group& group = groups.at(key(triangle));
        if (group.sum != 0 && group.keep[group.sum > 0] == t) kept.push_back(triangle);
    }
    const auto duplicates = mesh.triangles.size() - kept.size() - static_cast<std::size_t>(collapsed);
    mesh.triangles = std::move(kept);

    std::vector<int> number(mesh.points.size(), -1);
    for (const auto& triangle : mesh.triangles) {
        for (const int i : triangle) number[i] = 0;
    }
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < number.size(); ++i) {
        if (number[i] < 0) continue;
        number[i] = static_cast<int>(points.size());
        points.push_back(mesh.points[i]);
    }
    for (auto& triangle : mesh.triangles) {
        for (int& i : triangle) i = number[i];
    }
    const auto unused = mesh.points.size() - points.size();
    mesh.points = std::move(points);

    std::vector<std::string> messages;
    if (collapsed > 0) messages.push_back(fmt::format("removed {} triangles with repeated points", collapsed));
    if (duplicates > 0) messages.push_back(fmt::format("removed {} duplicate triangles", duplicates));
    if (unused > 0) messages.push_back(fmt::format("removed {} unused points", unused));
    return messages;
}

std::vector<std::string> merge_points(TriangleMesh& mesh, double distance) {
    using Cell = std::array<std::int64_t, 3>;
    std::map<Cell, std::vector<int>> kept;  // by cells as wide as the distance
    std::vector<int> number(mesh.points.size());
    int merged = 0;
    for (int i = 0; i < static_cast<int>(number.size()); ++i) {
        const Vec3& x = mesh.points[i];
        Cell cell;
        for (int a = 0; a < 3; ++a) cell[a] = static_cast<std::int64_t>(std::floor(x[a] / distance));
        number[i] = i;
        for (int n = 0; n < 27 && number[i] == i; ++n) {
            const auto found = kept.find({cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1});
            if (found == kept.end()) continue;
            for (const int other : found->second)
                if ((mesh.points[other] - x).cwiseAbs().maxCoeff() <= distance) number[i] = other;
        }
        if (number[i] == i)
            kept[cell].push_back(i);
        else
            ++merged;
    }
    if (merged == 0) return {};
    for (auto& triangle : mesh.triangles)
        for (int& i : triangle) i = number[i];
    return {fmt::format("merged {} points with others within {:.3g} m", merged, distance)};
}

std::vector<std::string> repair(TriangleMesh& mesh) {
    std::vector<std::string> messages;
    const auto add = [&](const std::vector<std::string>& more) {
        messages.insert(messages.end(), more.begin(), more.end());
    };
    constexpr double seam = 1e-6;  // of the diagonal: what single precision leaves of equal coordinates, ten times over
    if (diagnose(mesh).count(MeshFaultKind::open_edge) > 0) add(merge_points(mesh, seam * bounds(mesh).diagonal()));
    add(remove_redundant(mesh));
    add(repair_orientation(mesh));  // rims must agree before they are filled
    if (const auto filled = fill_holes(mesh); !filled.empty()) {
        add(filled);
        add(repair_orientation(mesh));
    }
    return messages;
}

}  // namespace tidelock
