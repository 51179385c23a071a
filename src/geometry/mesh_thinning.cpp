#include "geometry/mesh_thinning.h"

#include <algorithm>

#include "base/union_find.h"

namespace tidelock {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

/// For each point the one that stands for it: the first of those that became one with it.
std::vector<int> stand_ins(const TriangleMesh& mesh, const std::vector<PointGroup>& groups) {
    UnionFind same(mesh.points.size());
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            const PointGroup &of_a = groups[static_cast<std::size_t>(a)], &of_b = groups[static_cast<std::size_t>(b)];
            if (!of_a.whole && of_a == of_b) same.join(a, b);
        }
    std::vector<int> out(mesh.points.size());
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = same.root(static_cast<int>(p));
    return out;
}

/// The triangles that are left; two that lie back to back are none.
Triangles joined(const Triangles& from, const std::vector<int>& stands_for) {
    struct Entry {
        std::array<int, 3> points;  // rising
        bool even;
        std::array<int, 3> triangle;
    };
    std::vector<Entry> entries;
    for (const auto& t : from) {
        Entry e;
        for (std::size_t k = 0; k < 3; ++k) e.triangle[k] = stands_for[static_cast<std::size_t>(t[k])];
        const auto [a, b, c] = e.triangle;
        if (a == b || b == c || c == a) continue;
        e.points = e.triangle;
        std::sort(e.points.begin(), e.points.end());
        const auto first =
            static_cast<std::size_t>(std::min_element(e.triangle.begin(), e.triangle.end()) - e.triangle.begin());
        e.even = e.triangle[(first + 1) % 3] < e.triangle[(first + 2) % 3];
        entries.push_back(e);
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& x, const Entry& y) { return x.points < y.points; });
    Triangles out;
    for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
        int even = 0, odd = 0;
        for (end = begin; end < entries.size() && entries[end].points == entries[begin].points; ++end)
            ++(entries[end].even ? even : odd);
        int left = std::max(even, odd) - std::min(even, odd);
        for (std::size_t i = begin; i < end && left > 0; ++i)
            if (entries[i].even == (even > odd)) out.push_back(entries[i].triangle), --left;
    }
    return out;
}

/// Points at both ends of edges with more than two triangles.
std::vector<int> crowded(const Triangles& triangles) {
    std::vector<std::array<int, 2>> edges;
    for (const auto& t : triangles)
        for (std::size_t k = 0; k < 3; ++k)
            edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    std::sort(edges.begin(), edges.end());
    std::vector<int> out;
    for (std::size_t i = 2; i < edges.size(); ++i)
        if (edges[i] == edges[i - 2]) out.insert(out.end(), edges[i].begin(), edges[i].end());
    std::sort(out.begin(), out.end());
    return out;
}

ThinnedMesh assemble(const TriangleMesh& mesh, const Triangles& triangles, const std::vector<int>& stands_for) {
    std::vector<Vec3> sum(mesh.points.size(), Vec3::Zero());
    std::vector<int> count(mesh.points.size(), 0), number(mesh.points.size(), -1);
    for (std::size_t p = 0; p < mesh.points.size(); ++p) {
        const auto to = static_cast<std::size_t>(stands_for[p]);
        sum[to] += mesh.points[p];
        ++count[to];
    }
    ThinnedMesh out;
    out.mesh.triangles = triangles;
    for (auto& t : out.mesh.triangles)
        for (int& p : t) {
            const auto old = static_cast<std::size_t>(p);
            if (number[old] < 0) {
                number[old] = static_cast<int>(out.first.size());
                out.first.push_back(p);
                out.mesh.points.push_back(count[old] == 1 ? mesh.points[old] : Vec3(sum[old] / count[old]));
            }
            p = number[old];
        }
    return out;
}

}  // namespace

ThinnedMesh thin_out(const TriangleMesh& mesh, const std::vector<PointGroup>& groups) {
    std::vector<int> stands_for = stand_ins(mesh, groups);
    Triangles triangles = joined(mesh.triangles, stands_for);
    constexpr int rounds = 4;  // taking some apart seldom crowds others
    for (int round = 0; round < rounds; ++round) {
        const std::vector<int> apart = crowded(triangles);
        bool changed = false;
        for (std::size_t p = 0; p < stands_for.size(); ++p) {
            if (stands_for[p] == static_cast<int>(p)) continue;
            if (!std::binary_search(apart.begin(), apart.end(), stands_for[p])) continue;
            stands_for[p] = static_cast<int>(p);
            changed = true;
        }
        if (!changed) break;
        triangles = joined(mesh.triangles, stands_for);
    }
    return assemble(mesh, triangles, stands_for);
}

}  // namespace tidelock
