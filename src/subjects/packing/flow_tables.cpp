#include "subjects/packing/flow_tables.hpp"

#include <cmath>

namespace beadwave::io {
namespace {

using packing::Plane;
using packing::Region;
using packing::Vec3;

Table<Plane> plane_rows() {
    Table<Plane> t;
    t.add("point", vector3("m").needed().otherwise("this or `lower` is needed"), &Plane::point,
          "on a plane; a particle whose centre is behind it leaves");
    t.add("normal", vector3("-").needed(), &Plane::normal,
          "towards the particles that stay; of any length above 0");
    return t.rule([](const TomlTable& table, Plane& plane, const Reading&) {
        const double length = std::sqrt(dot(plane.normal, plane.normal));
        if (!(length > 0.0 && std::isfinite(length)))
            table.fail("normal", "has no direction; expected a vector of a length above 0");
        plane.normal = (1.0 / length) * plane.normal;
    });
}

Table<Region> region_rows() {
    Table<Region> t;
    t.add("lower", vector3("m").needed().otherwise("this or `point` is needed"), &Region::lower,
          "corner of a box along the axes; a particle whose centre is in it leaves");
    return t.add("upper", vector3("m").needed(), &Region::upper, "opposite corner");
}

}  // namespace

Table<packing::PourPlan> pour_table() {
    using packing::PourPlan;
    Table<PourPlan> t;
    t.add("rate", above_zero("1/s").otherwise("as fast as there is room"), &PourPlan::rate,
          "particles per second");
    t.add("start", from_zero("s"), &PourPlan::start, "when the first one comes");
    t.add("end", above_zero("s").otherwise("none"), &PourPlan::end,
          "after this time no more particles come");
    return t;
}

Table<packing::Exit> exit_table() {
    return Table<packing::Exit>().choose(
        "missing; give point and normal, of a plane, or lower and upper, the corners of a box",
        &packing::Exit::place, plane_rows(), region_rows());
}

}  // namespace beadwave::io
