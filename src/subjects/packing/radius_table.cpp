#include "subjects/packing/radius_table.hpp"

#include "io/scenario/file_rows.hpp"

#include <fmt/format.h>

namespace beadwave::io {
namespace {

using packing::RadiusKind;
using packing::RadiusLaw;

void check_rows(const TomlTable& table, const RadiusLaw& law) {
    const auto& fraction = law.fraction;
    if (fraction.size() < 2)
        table.fail("file", "has one row; expected two or more, from the fraction 0 to 1");
    if (!(law.radius.front() > 0.0)) table.fail("file", "has a radius_m that is not above 0");
    if (fraction.front() != 0.0 || fraction.back() != 1.0) {
        table.fail("file", fmt::format("its fraction goes from {:g} to {:g}; expected from 0 to 1",
                                       fraction.front(), fraction.back()));
    }
    for (std::size_t k = 1; k < fraction.size(); ++k) {
        if (!(fraction[k] >= fraction[k - 1])) {
            table.fail("file", fmt::format("its fraction decreases from {:g} to {:g} m",
                                           law.radius[k - 1], law.radius[k]));
        }
        if (fraction[k] == fraction[k - 1] && law.radius[k] == law.radius[k - 1])
            table.fail("file", fmt::format("has the row of {:g} m twice", law.radius[k]));
    }
}

}  // namespace

Table<RadiusLaw> radius_table() {
    const Key deviation =
        named("deviation", between(0.0, 2.0), "standard deviation of the radius over its mean")
            .otherwise("needed, except with `law = \"table\"`");
    const Key file =
        plain("file", Kind::file,
              "columns `radius_m` and `fraction`: the part of the particles, by number, that is "
              "not larger, from 0 to 1; linear in between. Two rows with one radius: so many "
              "particles have it; with one fraction: none is between")
            .otherwise("needed with `law = \"table\"`");
    Table<RadiusLaw> t;
    t.add("law", words({"normal", "lognormal", "table"}).needed(), &RadiusLaw::kind,
          "distribution of the radii; `radius` is the mean of the first two, before the cut");
    t.known(deviation);
    t.add("lowest", from_zero("m"), &RadiusLaw::lowest, "radii below are drawn again");
    t.add("highest", above_zero("m").otherwise("none"), &RadiusLaw::highest,
          "radii above are drawn again");
    t.known(file);
    return t.rule([deviation, file](const TomlTable& table, RadiusLaw& law, Reading& reading) {
        const bool listed = law.kind == RadiusKind::table;
        if (table.has(listed ? "deviation" : "file")) {
            table.fail(listed ? "deviation" : "file",
                       listed ? "a table does not have it; its file says the radii"
                              : "only law = \"table\" has a file");
        }
        if (listed) {
            FileRows rows = read_file_rows(table, file, {"fraction"}, reading, "radius_m",
                                           FirstColumn::may_repeat);
            law.radius = std::move(rows.first);
            law.fraction = std::move(rows.columns.front());
            check_rows(table, law);
        } else {
            law.deviation = table.need(table.number(deviation), deviation);
        }
        if (!(law.highest > law.lowest)) table.fail("highest", "must be above lowest");
    });
}

}  // namespace beadwave::io
