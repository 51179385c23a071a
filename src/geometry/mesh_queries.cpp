#include "geometry/mesh_queries.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>

#include "base/error.h"
#include "base/parallel.h"
#include "geometry/mesh_doctor.h"
#include "geometry/triangle.h"

namespace tidelock {
namespace {

constexpr double relative_tolerance = 1e-6;  // some 16 float roundings of a coordinate as large as the scene

/// One device for the process: it holds no state of ours, only Embree's. It uses the same instructions on every x86-64:
/// which triangles it names beside an edge, and so the bits of a run, must not depend on the processor.
RTCDevice device() {
#if defined(__x86_64__)
    constexpr const char* settings = "isa=sse4.2";
#else
    constexpr const char* settings = nullptr;
#endif
    static const std::shared_ptr<RTCDeviceTy> shared(rtcNewDevice(settings), [](RTCDevice d) {
        if (d != nullptr) rtcReleaseDevice(d);
    });
    if (!shared) throw std::bad_alloc();
    return shared.get();
}

/// A ray query whose filter sees every candidate triangle. `base` comes first: Embree's pointer is cast back from it.
struct CandidateQuery {
    RTCIntersectContext base;
    const std::function<void(int)>* visit;
};

void reject_and_visit(const RTCFilterFunctionNArguments* arguments) {
    auto* query = reinterpret_cast<CandidateQuery*>(arguments->context);
    for (unsigned i = 0; i < arguments->N; ++i) {
        if (arguments->valid[i] == 0) continue;
        (*query->visit)(static_cast<int>(RTCHitN_primID(arguments->hit, arguments->N, i)));
        arguments->valid[i] = 0;  // go on: the decision is made in double, when all are known
    }
}

}  // namespace

struct MeshQueries::Impl {
    TriangleMesh mesh;
    Bounds<3> box;
    Vec3 origin;       // of Embree's coordinates
    double scale = 0;  // the mesh's diagonal [m]
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;

    explicit Impl(const TriangleMesh& source) : mesh(source) {
        const MeshReport report = check(mesh);
        if (!report.faults.empty()) throw InputError("mesh", "{}", report.text());
        scene = rtcNewScene(device());
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_DYNAMIC);
        geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE);
        rtcSetGeometryBuildQuality(geometry,
                                   RTC_BUILD_QUALITY_MEDIUM);  // high splits triangles: seen twice by a filter
        const auto n = mesh.points.size(), m = mesh.triangles.size();
        const void* points =
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), n);
        auto* indices = static_cast<unsigned*>(
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), m));
        if (points == nullptr || indices == nullptr) throw std::bad_alloc();
        for (const auto& triangle : mesh.triangles) {
            for (const int i : triangle) *indices++ = static_cast<unsigned>(i);
        }
        rtcSetGeometryIntersectFilterFunction(geometry, reject_and_visit);
        rtcAttachGeometry(scene, geometry);
        commit();
    }
    ~Impl() {
        rtcReleaseGeometry(geometry);
        rtcReleaseScene(scene);
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    static MeshReport check(const TriangleMesh& mesh);

    /// Sends the points to Embree and (re)builds its tree.
    void commit() {
        box = bounds(mesh);
        origin = box.centre();
        scale = box.diagonal();
        auto* out = static_cast<float*>(rtcGetGeometryBufferData(geometry, RTC_BUFFER_TYPE_VERTEX, 0));
        for (const Vec3& x : mesh.points) {
            for (int a = 0; a < 3; ++a) *out++ = static_cast<float>(x[a] - origin[a]);
        }
        rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
        rtcCommitGeometry(geometry);
        rtcCommitScene(scene);
        // A tree that found no room would find no triangles.
        if (rtcGetDeviceError(device()) != RTC_ERROR_NONE) throw std::bad_alloc();
    }

    /// Calls visit(triangle) for every triangle that Embree finds on the segment, lengthened by `margin` at both ends.
    void candidates(const Vec3& a, const Vec3& b, double margin, const std::function<void(int)>& visit) const {
        const Vec3 direction = (b - a).normalized();
        const Vec3 start = a - origin - margin * direction;
        CandidateQuery query{};
        rtcInitIntersectContext(&query.base);
        query.visit = &visit;
        RTCRayHit ray{};
        ray.ray.org_x = static_cast<float>(start.x());
        ray.ray.org_y = static_cast<float>(start.y());
        ray.ray.org_z = static_cast<float>(start.z());
        ray.ray.dir_x = static_cast<float>(direction.x());
        ray.ray.dir_y = static_cast<float>(direction.y());
        ray.ray.dir_z = static_cast<float>(direction.z());
        ray.ray.tfar = static_cast<float>((b - a).norm() + 2 * margin);
        ray.ray.mask = ~0u;
        ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(scene, &query.base, &ray);
    }

    [[nodiscard]] const Vec3& point(int triangle, int k) const { return mesh.points[mesh.triangles[triangle][k]]; }
    [[nodiscard]] Vec3 at(int triangle, const Vec3& weights) const {
        return weights[0] * point(triangle, 0) + weights[1] * point(triangle, 1) + weights[2] * point(triangle, 2);
    }
    /// Rounding of single precision for a query that reaches this far from the mesh's middle.
    [[nodiscard]] double margin(const Vec3& a, const Vec3& b) const {
        return relative_tolerance * (scale + (a - origin).norm() + (b - origin).norm());
    }
};

/// Only the faults that make a mesh unusable here.
MeshReport MeshQueries::Impl::check(const TriangleMesh& mesh) {
    MeshReport report = diagnose(mesh);
    std::erase_if(report.faults, [](const MeshFault& fault) { return fault.kind > MeshFaultKind::not_finite; });
    return report;
}

MeshQueries::MeshQueries(const TriangleMesh& mesh) : impl_(std::make_unique<Impl>(mesh)) {}
MeshQueries::~MeshQueries() = default;
MeshQueries::MeshQueries(MeshQueries&&) noexcept = default;
MeshQueries& MeshQueries::operator=(MeshQueries&&) noexcept = default;

double MeshQueries::tolerance() const { return relative_tolerance * impl_->scale; }
const TriangleMesh& MeshQueries::mesh() const { return impl_->mesh; }

std::optional<SegmentHit> MeshQueries::segment_hit(const Vec3& a, const Vec3& b) const {
    std::optional<SegmentHit> best;
    if (a == b) return best;
    const double margin = impl_->margin(a, b);
    impl_->candidates(a, b, margin, [&](int triangle) {
        const Vec3 &p = impl_->point(triangle, 0), &q = impl_->point(triangle, 1), &r = impl_->point(triangle, 2);
        const PlaneHit hit = meet_plane(a, b - a, p, q, r);
        if (!hit.exists || hit.t < 0 || hit.t > 1) return;
        if (best && (hit.t > best->t || (hit.t == best->t && triangle > best->triangle))) return;
        Vec3 weights = hit.weights;
        if (weights.minCoeff() < 0) {  // just off an edge: accept what single precision could not tell from a hit
            const Vec3 x = a + hit.t * (b - a);
            weights = closest_weights(x, p, q, r);
            if ((impl_->at(triangle, weights) - x).norm() > margin) return;
        }
        best = SegmentHit{hit.t, triangle, weights, area_normal(impl_->mesh, triangle).normalized()};
    });
    return best;
}

std::vector<std::optional<SegmentHit>> MeshQueries::segment_hits(std::span<const Segment> segments) const {
    constexpr std::size_t block = 64;
    std::vector<std::optional<SegmentHit>> hits(segments.size());
    const auto blocks = static_cast<std::ptrdiff_t>((segments.size() + block - 1) / block);
    parallel_for("segment hits", blocks, [&](std::ptrdiff_t i) {
        const std::size_t first = static_cast<std::size_t>(i) * block, last = std::min(first + block, segments.size());
        for (std::size_t k = first; k < last; ++k) hits[k] = segment_hit(segments[k].a, segments[k].b);
    });
    return hits;
}

std::optional<ClosestPoint> MeshQueries::closest_point(const Vec3& x, double max_distance) const {
    struct State {
        const Impl* impl;
        Vec3 x;
        double slack;  // single-precision rounding, so that no near candidate is culled
        double limit;
        std::optional<ClosestPoint> best;
    } state{impl_.get(), x, impl_->margin(x, x), max_distance, {}};

    const auto visit = [](RTCPointQueryFunctionArguments* arguments) {
        auto& s = *static_cast<State*>(arguments->userPtr);
        const int triangle = static_cast<int>(arguments->primID);
        const Vec3 w =
            closest_weights(s.x, s.impl->point(triangle, 0), s.impl->point(triangle, 1), s.impl->point(triangle, 2));
        const Vec3 point = s.impl->at(triangle, w);
        const double distance = (point - s.x).norm();
        if (distance > s.limit) return false;
        if (distance == s.limit && s.best && triangle > s.best->triangle) return false;
        s.limit = distance;
        s.best = ClosestPoint{point, triangle, w, distance};
        arguments->query->radius = static_cast<float>(distance + s.slack);
        return true;  // the radius has changed
    };
    const Vec3 local = x - impl_->origin;
    RTCPointQuery query{};
    query.x = static_cast<float>(local.x());
    query.y = static_cast<float>(local.y());
    query.z = static_cast<float>(local.z());
    query.radius = static_cast<float>(max_distance + state.slack);
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(impl_->scene, &query, &context, visit, &state);
    return state.best;
}

bool MeshQueries::inside(const Vec3& x) const {
    if (!impl_->box.contains(x)) return false;
    // Fixed directions, along no axis or diagonal, where meshes like to have edges.
    static const Vec3 directions[] = {
        Vec3(0.5377, 0.7211, 0.4373).normalized(),  Vec3(-0.6131, 0.3517, 0.7079).normalized(),
        Vec3(0.2897, -0.8219, 0.4909).normalized(), Vec3(-0.4523, -0.3671, -0.8123).normalized(),
        Vec3(0.9029, 0.1787, -0.3911).normalized(), Vec3(-0.1259, 0.6427, -0.7559).normalized(),
        Vec3(0.7919, -0.5527, -0.2591).normalized()};
    int votes = 0;
    for (const Vec3& direction : directions) {
        const Vec3 far = x + 2 * impl_->scale * direction;
        const double margin = impl_->margin(x, far);
        int crossings = 0;
        bool safe = true;
        impl_->candidates(x, far, margin, [&](int triangle) {
            const Vec3 &p = impl_->point(triangle, 0), &q = impl_->point(triangle, 1), &r = impl_->point(triangle, 2);
            const PlaneHit hit = meet_plane(x, far - x, p, q, r);
            if (!hit.exists) {
                safe = false;
                return;
            }
            // A weight is the distance from the opposite edge over the triangle's height above that edge.
            const double twice_area = (q - p).cross(r - p).norm();
            const Vec3 edge((r - q).norm(), (p - r).norm(), (q - p).norm());
            const Vec3 off_edge = hit.weights.cwiseProduct(twice_area * edge.cwiseInverse());
            if (off_edge.minCoeff() < margin) safe = false;
            crossings += hit.t > 0;
        });
        const bool odd = crossings % 2 != 0;
        if (safe) return odd;
        votes += odd ? 1 : -1;
    }
    return votes > 0;
}

void MeshQueries::refit(std::span<const Vec3> points) {
    if (points.size() != impl_->mesh.points.size()) {
        throw InputError("mesh refit", "got {} points, must be {} as before", points.size(), impl_->mesh.points.size());
    }
    for (const Vec3& x : points) {
        if (!x.allFinite()) throw InputError("mesh refit", "points must be finite, got [{}, {}, {}]", x[0], x[1], x[2]);
    }
    impl_->mesh.points.assign(points.begin(), points.end());
    rtcSetGeometryBuildQuality(impl_->geometry, RTC_BUILD_QUALITY_REFIT);
    impl_->commit();
}

}  // namespace tidelock
