#include "render/solid_scene.h"

#include <embree3/rtcore.h>

#include <cmath>
#include <limits>
#include <new>

#include "base/error.h"
#include "render/surface_normals.h"

namespace tidelock {
namespace {

using Vec3f = Eigen::Vector3f;

RTCDevice device() {
    static const std::shared_ptr<RTCDeviceTy> shared(rtcNewDevice(nullptr), [](RTCDevice d) {
        if (d != nullptr) rtcReleaseDevice(d);
    });
    if (!shared) throw std::bad_alloc();
    return shared.get();
}

struct SceneDeleter {
    void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
};
using Scene = std::unique_ptr<std::remove_pointer_t<RTCScene>, SceneDeleter>;

struct GeometryDeleter {
    void operator()(RTCGeometry geometry) const { rtcReleaseGeometry(geometry); }
};
using Geometry = std::unique_ptr<std::remove_pointer_t<RTCGeometry>, GeometryDeleter>;

Scene new_scene() {
    Scene scene(rtcNewScene(device()));
    rtcSetSceneFlags(scene.get(), RTC_SCENE_FLAG_ROBUST);
    return scene;
}

RTCRay make_ray(const Vec3f& from, const Vec3f& direction, float near, float far) {
    RTCRay ray{};
    ray.org_x = from[0], ray.org_y = from[1], ray.org_z = from[2];
    ray.dir_x = direction[0], ray.dir_y = direction[1], ray.dir_z = direction[2];
    ray.tnear = near, ray.tfar = far, ray.mask = ~0u;
    return ray;
}

void check(const TriangleMesh& mesh, const std::string& place) {
    const auto points = static_cast<int>(mesh.points.size());
    for (const auto& triangle : mesh.triangles)
        for (const int p : triangle)
            if (p < 0 || p >= points) throw InputError(place, "a triangle names point {} of {}", p, points);
    for (const Vec3& x : mesh.points)
        if (!x.allFinite()) throw InputError(place, "point [{}, {}, {}] must be finite", x[0], x[1], x[2]);
}

void check(const SolidLook& solid, std::size_t number) {
    const std::string place = fmt::format("picture, solid {}", number);
    if (!solid.mesh) throw InputError(place, "has no mesh");
    if (!(solid.opacity > 0) || !(solid.opacity <= 1))
        throw InputError(place, "opacity must be in (0, 1], got {}", solid.opacity);
    if (!solid.pose.matrix().allFinite()) throw InputError(place, "the pose must be finite");
    check(*solid.mesh, place);
}

}  // namespace

struct SolidScene::Impl {
    const std::vector<SolidLook>* solids = nullptr;
    std::vector<std::vector<Vec3f>> normals;  // of each solid, in the world's axes; the liquid's are the last
    Scene opaque = new_scene(), clear = new_scene();
    Scene any;  // opaque solids and the liquid; none without a liquid
    bool any_clear = false;
    Eigen::AlignedBox3f box, liquid_box;

    [[nodiscard]] unsigned liquid_id() const { return static_cast<unsigned>(normals.size()) - 1; }

    void add(const SolidLook& solid, unsigned id, const Vec3& frame_origin) {
        any_clear = any_clear || solid.opacity < 1;
        const auto geometry = upload(*solid.mesh, solid.pose, frame_origin, box);
        rtcAttachGeometryByID(solid.opacity < 1 ? clear.get() : opaque.get(), geometry.get(), id);
        if (any && !(solid.opacity < 1)) rtcAttachGeometryByID(any.get(), geometry.get(), id);
        normals[id] = corner_normals(*solid.mesh);
        const Eigen::Matrix3f turn = solid.pose.linear().cast<float>();
        for (Vec3f& n : normals[id]) n = turn * n;
    }

    void add_liquid(const TriangleMesh& mesh, const Vec3& frame_origin) {
        const auto geometry = upload(mesh, Eigen::Isometry3d::Identity(), frame_origin, liquid_box);
        box.extend(liquid_box);
        rtcAttachGeometryByID(any.get(), geometry.get(), liquid_id());
        normals[liquid_id()] = corner_normals(mesh);
    }

    static Geometry upload(const TriangleMesh& mesh, const Eigen::Isometry3d& pose, const Vec3& frame_origin,
                           Eigen::AlignedBox3f& bounds) {
        Geometry geometry(rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_TRIANGLE));
        auto* out = static_cast<float*>(rtcSetNewGeometryBuffer(
            geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), mesh.points.size()));
        if (out == nullptr) throw std::bad_alloc();
        for (const Vec3& p : mesh.points) {
            const Vec3f x = (pose * p - frame_origin).cast<float>();
            bounds.extend(x);
            for (int a = 0; a < 3; ++a) *out++ = x[a];
        }
        auto* indices = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
            geometry.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), mesh.triangles.size()));
        if (indices == nullptr) throw std::bad_alloc();
        for (const auto& triangle : mesh.triangles)
            for (const int p : triangle) *indices++ = static_cast<unsigned>(p);
        rtcCommitGeometry(geometry.get());
        return geometry;
    }

    SurfaceHit hit(RTCScene scene, const Vec3f& from, const Vec3f& direction, float near, float far) const {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        RTCRayHit query{make_ray(from, direction, near, far), {}};
        query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(scene, &context, &query);
        SurfaceHit out;
        if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return out;
        out.t = query.ray.tfar;
        out.solid = static_cast<int>(query.hit.geomID);
        const Vec3f* n = normals[query.hit.geomID].data() + 3 * static_cast<std::size_t>(query.hit.primID);
        const float u = query.hit.u, v = query.hit.v;
        out.face = Vec3f(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z).normalized();
        Vec3f normal = (1 - u - v) * n[0] + u * n[1] + v * n[2];
        out.normal = normal.squaredNorm() > 0 ? Vec3f(normal.normalized()) : out.face;
        if (out.normal.dot(out.face) < 0) out.face = -out.face;  // Embree's side depends on the triangle's order
        if (any && query.hit.geomID == liquid_id()) {
            out.solid = SurfaceHit::liquid;
            out.leaving = out.face.dot(direction) > 0;
        }
        if (out.face.dot(direction) > 0) out.face = -out.face, out.normal = -out.normal;
        return out;
    }
};

SolidScene::SolidScene(const std::vector<SolidLook>& solids, const Vec3& frame_origin, const TriangleMesh* liquid)
    : impl_(std::make_unique<Impl>()) {
    const bool wet = liquid != nullptr && !liquid->triangles.empty();
    impl_->solids = &solids;
    impl_->normals.resize(solids.size() + 1);
    if (wet) {
        check(*liquid, "picture, liquid");
        impl_->any = new_scene();
        impl_->add_liquid(*liquid, frame_origin);
    }
    for (std::size_t n = 0; n < solids.size(); ++n) {
        check(solids[n], n);
        if (!solids[n].mesh->triangles.empty()) impl_->add(solids[n], static_cast<unsigned>(n), frame_origin);
    }
    rtcCommitScene(impl_->opaque.get());
    rtcCommitScene(impl_->clear.get());
    if (wet) rtcCommitScene(impl_->any.get());
    if (rtcGetDeviceError(device()) != RTC_ERROR_NONE) throw std::bad_alloc();  // a tree without triangles
}

SolidScene::~SolidScene() = default;

bool SolidScene::empty() const { return impl_->box.isEmpty(); }
bool SolidScene::any_clear() const { return impl_->any_clear; }
const Eigen::AlignedBox3f& SolidScene::box() const { return impl_->box; }
const SolidLook& SolidScene::look(int solid) const { return (*impl_->solids)[static_cast<std::size_t>(solid)]; }

SurfaceHit SolidScene::opaque_hit(const Vec3f& from, const Vec3f& direction) const {
    return impl_->hit(impl_->opaque.get(), from, direction, 0, std::numeric_limits<float>::infinity());
}

SurfaceHit SolidScene::clear_hit(const Vec3f& from, const Vec3f& direction, float near, float far) const {
    return impl_->any_clear ? impl_->hit(impl_->clear.get(), from, direction, near, far) : SurfaceHit{};
}

float SolidScene::visibility(const Vec3f& from, const Vec3f& direction, float far) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay ray = make_ray(from, direction, 0, far);
    rtcOccluded1(impl_->opaque.get(), &context, &ray);
    if (ray.tfar < 0) return 0;
    float through = 1, near = 0;
    constexpr int most_layers = 8;
    for (int n = 0; impl_->any_clear && n < most_layers; ++n) {
        const SurfaceHit hit = clear_hit(from, direction, near, far);
        if (hit.solid < 0) break;
        through *= 1 - look(hit.solid).opacity;
        near = hit.t * 1.0001f + 1e-6f * box().diagonal().norm();
    }
    return through;
}

bool SolidScene::has_liquid() const { return impl_->any != nullptr; }
const Eigen::AlignedBox3f& SolidScene::liquid_box() const { return impl_->liquid_box; }

SurfaceHit SolidScene::any_hit(const Vec3f& from, const Vec3f& direction, float near, float far) const {
    return impl_->hit(impl_->any ? impl_->any.get() : impl_->opaque.get(), from, direction, near, far);
}

bool SolidScene::open_air(const Vec3f& from, const Vec3f& direction) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay ray = make_ray(from, direction, 0, std::numeric_limits<float>::infinity());
    rtcOccluded1(impl_->any ? impl_->any.get() : impl_->opaque.get(), &context, &ray);
    return !(ray.tfar < 0);
}

LiquidWay SolidScene::liquid_along(const Vec3f& from, const Vec3f& direction) const {
    LiquidWay way;
    float near = 0;
    constexpr int most_surfaces = 12;
    for (int n = 0; n < most_surfaces; ++n) {
        const SurfaceHit hit = any_hit(from, direction, near, std::numeric_limits<float>::infinity());
        if (hit.solid == SurfaceHit::nothing) break;
        way.blocked = hit.solid >= 0;
        if (way.blocked) break;
        if (hit.leaving) way.length += hit.t - near;
        near = hit.t * 1.00001f + 2e-6f * box().diagonal().norm();
    }
    return way;
}

}  // namespace tidelock
