#include "subjects/packing/element_keys.hpp"

#include "subjects/chain/element_tables.hpp"

namespace beadwave::io {

using packing::Selection;
using packing::Vec3;

std::array<double, 3> parts(const Vec3& v) {
    return {v.x, v.y, v.z};
}

Vec3 needed_vector(const TomlTable& table, const Key& key, const Reading& reading) {
    Vec3 v{};
    read_value(table, Key(key).needed(), v, reading);
    if (reading.dimension == 2 && v.z != 0.0)
        table.fail(key.name, "points out of the plane z = 0; expected [x, y]");
    return v;
}

std::vector<std::string_view> axis_columns(const std::array<std::string_view, 3>& names,
                                           const Reading& reading) {
    return {names.begin(), names.begin() + (reading.dimension == 2 ? 2 : 3)};
}

Table<Selection> selection_rows(bool needed) {
    Key particles = range_key("particles",
                              "the first and the last particle that have it, numbered from 0, or "
                              "all that are not fixed");
    if (needed) particles.otherwise("needed without `group`");
    Table<Selection> t;
    t.include(range_rows(particles,
                         "only each of this many particles, from the first one on: 2 for every "
                         "second particle"),
              &Selection::range);
    t.add("group", whole(0).otherwise("none"), &Selection::group,
          "in place of `particles`: all of the [[particles]] with this number, from 0");
    return t.rule([needed](const TomlTable& table, const Selection&, Reading&) {
        if (table.has("group") && table.has("particles"))
            table.fail("group", "is given in addition to particles; give one of the two");
        if (needed && !table.has("group") && !table.has("particles")) {
            table.fail("particles",
                       "missing; give particles, the first and the last one, such as [0, 9], or "
                       "\"all\", or group, the number of a [[particles]]");
        }
    });
}

Key cycles_key(std::string_view meaning) {
    return named("cycles", above_zero("-"), meaning).otherwise("no end");
}

}  // namespace beadwave::io
