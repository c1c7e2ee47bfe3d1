// The tabulated law: reading an indentation test, and using it as a contact law.

#include "beadwave/laws/indentation_table.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/collision.hpp"
#include "beadwave/laws/elastoplastic/tabulated.hpp"
#include "beadwave/laws/ma_liu.hpp"
#include "relative.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

namespace beadwave::validation::indentation_table_test {

using laws::IndentationTable;

namespace {

const std::string example =
    std::string(BEADWAVE_SOURCE_DIR) + "/validation/physics/indentation_example.csv";

IndentationTable read(const std::string& text) {
    std::istringstream csv(text);
    return {csv, "test.csv"};
}

constexpr const char* header = "overlap_m,loading_force_N,unloading_force_N\n";

/// F = d^2 up to d = 4, unloading (d - 2)^2 from d = 2: far larger numbers than those of a bead.
const std::string parabola = std::string("# a comment\n") + header +
                             "0,0,\n1,1,\n2,4,0\n3,9,4\n\n4,16,16\n3.5,12.25,9\n2.5,6.25,1\n";

std::string error_of(const std::string& rows) {
    try {
        read(rows);
        return "no error";
    } catch (const InputError& error) {
        return error.what();
    }
}

std::string with_header(const std::string& rows) {
    return header + rows;
}

/// The Ma-Liu law that the example was computed from.
laws::MaLiu<double> origin() {
    const laws::Elasticity steel{
        .youngs_modulus = 193e9, .poisson_ratio = 0.3, .yield_stress = 900e6};
    return laws::make_ma_liu(laws::sphere_contact(2.38e-3, 0.45e-3, steel, 2.38e-3, 0.45e-3, steel),
                             2.84, 13.0);
}

laws::Tabulated<double> tabulated() {
    return {{.table = IndentationTable::number_of_file(example)}};
}

}  // namespace

TEST_CASE("a tabulated law passes through every measured point of loading and unloading") {
    const auto law = tabulated();
    const auto turned = law.respond(30e-6, 0.0, {}).memory;
    std::ifstream csv(example);
    int compared = 0;
    for (std::string line; std::getline(csv, line);) {
        if (line.empty() || line[0] == '#' || line[0] == 'o') continue;
        const auto first = line.find(',');
        const auto second = line.find(',', first + 1);
        const double x = std::stod(line);
        const std::string loading = line.substr(first + 1, second - first - 1);
        const std::string unloading = line.substr(second + 1);
        CAPTURE(line);
        if (!loading.empty())
            CHECK_RELATIVE(law.respond(x, 0.0, {}).force, std::stod(loading), 1e-12);
        if (!unloading.empty())
            CHECK_ABSOLUTE(law.respond(x, 0.0, turned).force, std::stod(unloading), 1e-6);
        ++compared;
    }
    CHECK(compared == 118);
}

TEST_CASE("a collision with the energy of a compression test turns at the overlap of the test") {
    // The impact energy is the work of the test, so that nothing is scaled: the restitution is that
    // of the test, except for the interpolation.
    const double mass = 2e-4;
    const auto law = tabulated();
    const double speed =
        std::sqrt(2.0 * laws::IndentationTable::numbered(law.table).loading_work(30e-6) / mass);
    const auto hit = laws::collide(law, mass, speed);
    const auto exact = laws::collide(origin(), mass, speed);
    CHECK_RELATIVE(hit.max_overlap, 30e-6, 1e-8);
    CHECK_RELATIVE(hit.restitution, exact.restitution, 1e-3);
    CHECK_RELATIVE(hit.max_force, exact.max_force, 1e-3);
    CHECK_RELATIVE(hit.residual_overlap, exact.residual_overlap, 2e-3);
}

TEST_CASE("unloading from any overlap is the measured curve, scaled") {
    const auto law = tabulated();
    const auto full = law.respond(30e-6, 0.0, {}).memory;
    for (const double largest : {5e-6, 20e-6, 60e-6}) {
        CAPTURE(largest);
        const auto turned = law.respond(largest, 0.0, {});
        CHECK_RELATIVE(turned.memory.residual_overlap / largest, full.residual_overlap / 30e-6,
                       1e-12);
        for (const double part : {0.99, 0.95, 0.9, 0.87}) {
            CHECK_RELATIVE(
                law.respond(part * largest, 0.0, turned.memory).force / turned.force,
                law.respond(part * 30e-6, 0.0, full).force / law.respond(30e-6, 0.0, {}).force,
                1e-9);
        }
    }
}

TEST_CASE("beyond the last measured overlap loading continues as a straight line") {
    const IndentationTable t = read(parabola);
    const double slope = t.loading_force(5.0) - t.loading_force(4.0);
    CHECK(slope > 7.0);
    CHECK_RELATIVE(t.loading_force(40.0), 16.0 + 36.0 * slope, 1e-12);
    CHECK_RELATIVE(t.loading_work(40.0) - t.loading_work(4.0), 36.0 * 16.0 + 18.0 * 36.0 * slope,
                   1e-12);
    CHECK(t.last_overlap() == 4.0);
}

TEST_CASE("rows may be in any order, and the two forces in separate rows") {
    const IndentationTable a = read(parabola);
    const IndentationTable b = read(with_header(
        "4,,16\n4,16,\n3.5,12.25,\n3,9,\n2.5,6.25,\n2,4,\n1,1,\n3.5,,9\n3,,4\n2.5,,1\n2,,0\n"));
    for (const double x : {0.5, 1.7, 3.3, 4.0, 7.0})
        CHECK(a.loading_force(x) == b.loading_force(x));
    for (const double part : {0.0, 0.2, 0.5, 0.9, 1.0})
        CHECK(a.shape(part) == b.shape(part));
    CHECK_RELATIVE(a.recovered_span(4.0, 16.0), 2.0, 1e-12);
}

TEST_CASE(
    "a test that stays elastic at first creates no energy when its unloading is scaled down") {
    // Loading as d^3 at first needs 0.25 F d; the scaled unloading line returns 0.31 F d.
    std::string rows;
    for (int i = 1; i <= 40; ++i) {
        const double x = i / 10.0;
        const double force = x < 2.0 ? x * x * x : 8.0 + 12.0 * (x - 2.0);
        const std::string unloading = x >= 1.5 ? std::to_string(12.8 * (x - 1.5)) : "";
        rows += std::to_string(x) + "," + std::to_string(force) + "," + unloading + "\n";
    }
    const IndentationTable t = read(with_header(rows));
    double before = 0.0;
    for (double x = 0.01; x < 100.0; x *= 1.02) {
        CAPTURE(x);
        const double force = t.loading_force(x);
        const double work = t.loading_work(x);
        const double dissipated = work - force * t.recovered_span(x, force) * t.shape_integral(1.0);
        CHECK(dissipated >= -1e-12 * work);
        CHECK(dissipated - before >= -1e-12 * work);
        before = dissipated;
    }
    CHECK(t.recovered_span(1.0, t.loading_force(1.0)) < 0.52);  // of 0.625, unscaled
    CHECK_RELATIVE(t.recovered_span(4.0, 32.0), 2.5, 1e-9);
}

TEST_CASE("a table that cannot be used is refused with its reason") {
    CHECK(error_of("") == "test.csv, line 0: no column names");
    CHECK(error_of("overlap_m,force\n") ==
          "test.csv, line 1: no column loading_force_N; expected "
          "overlap_m,loading_force_N,unloading_force_N");
    CHECK(error_of(with_header("1,2\n")) == "test.csv, line 2: 2 cells, not 3");
    CHECK(error_of(with_header("1,x,\n")) ==
          "test.csv, line 2: loading_force_N is \"x\", not a number from 0");
    CHECK(error_of(with_header("-1,1,\n")) ==
          "test.csv, line 2: overlap_m is \"-1\", not a number from 0");
    CHECK(error_of(with_header("1,1,\n1,2,\n")) ==
          "test.csv, line 3: a second loading_force_N at 1 m");
    CHECK(error_of(with_header(",1,\n")) == "test.csv, line 2: no overlap");
    CHECK(error_of(with_header("1,1,\n2,4,\n")) ==
          "test.csv: loading needs at least three points beside (0, 0)");
    CHECK(error_of(with_header("0,1,\n1,2,\n2,3,\n3,4,\n")) ==
          "test.csv: the loading force at zero overlap must be 0");
    CHECK(error_of(with_header("1,1,\n2,1,\n3,4,\n")) ==
          "test.csv: the loading force must rise with the overlap, but falls or stays at 2 m; "
          "smooth the "
          "measurement first");
    const std::string loading = "1,1,\n2,4,\n3,9,\n4,16,\n";
    CHECK(error_of(with_header(loading + "5,,20\n")) ==
          "test.csv: unloading begins at 5 m, beyond the end of loading at 4 m");
    CHECK(error_of(with_header(loading + "4.0,,12\n")) ==
          "test.csv: unloading must begin at the end of loading: 16 N there, not 12 N");
    CHECK(error_of(with_header(loading + "3.5,,9\n3.6,,8\n3,,4\n2.5,,1\n2,,0\n")) ==
          "test.csv: the unloading force must fall with the overlap, but rises or stays below 3.6 "
          "m; smooth the "
          "measurement first");
    CHECK(error_of(with_header(loading + "3.5,,9\n3,,4\n2.5,,1\n")) ==
          "test.csv: unloading ends at 1 N; it must reach zero force: add the row of the residual "
          "overlap");
    CHECK(error_of(with_header(loading + "3.5,,9\n2,,0\n")) ==
          "test.csv: unloading needs at least two points between its start and zero force");
    CHECK(error_of(with_header(loading + "3.5,,15.9\n3,,15.8\n2,,15.7\n0.1,,0\n")) ==
          "test.csv: unloading returns more energy than loading took");
}

TEST_CASE("a table is read once for all contacts, and a missing file is named") {
    CHECK(IndentationTable::number_of_file(example) == IndentationTable::number_of_file(example));
    CHECK_THROWS_WITH_AS(IndentationTable::number_of_file("/no/such.csv"),
                         "cannot read the indentation test /no/such.csv", InputError);
}

}  // namespace beadwave::validation::indentation_table_test
