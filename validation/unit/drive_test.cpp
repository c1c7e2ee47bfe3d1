// How a driven end moves: sines, bursts, tables, and errors in tables.

#include "beadwave/stepping/drive.hpp"

#include "beadwave/input_error.hpp"
#include "relative.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

namespace beadwave::validation::drive_test {

using stepping::Drive;

namespace {

const std::string header = "time_s,displacement_m\n";

std::string error_of(const std::string& csv) {
    try {
        Drive::table(csv, "piston.csv");
        return "no error";
    } catch (const InputError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("a sine starts at zero and its velocity is its derivative") {
    const Drive drive = Drive::sine(5e3, 2e-7);
    const double omega = 2.0 * std::numbers::pi * 5e3;
    CHECK(drive.displacement(0.0) == 0.0);
    CHECK_RELATIVE(drive.velocity(0.0), omega * 2e-7, 1e-15);
    CHECK_RELATIVE(drive.displacement(50e-6), 2e-7, 1e-12);
    for (const double t : {1e-5, 7.3e-5, 1.234e-3}) {
        CHECK_RELATIVE(drive.displacement(t), 2e-7 * std::sin(omega * t), 1e-9);
        CHECK_RELATIVE((drive.displacement(t + 1e-9) - drive.displacement(t - 1e-9)) / 2e-9,
                       drive.velocity(t), 1e-6);
    }
    CHECK_RELATIVE(drive.largest_speed(), omega * 2e-7, 1e-15);
    CHECK_RELATIVE(Drive::sine(5e3, -2e-7).largest_speed(), omega * 2e-7, 1e-15);
    CHECK_RELATIVE(drive.period(), 2e-4, 1e-15);
}

TEST_CASE("a burst stops where it started") {
    const Drive drive = Drive::sine(5e3, -2e-7, 1.5);
    CHECK(drive.displacement(0.29999e-3) < 0.0);
    CHECK(drive.velocity(0.29999e-3) > 0.0);
    for (const double t : {0.3001e-3, 1.0}) {
        CHECK(drive.displacement(t) == 0.0);
        CHECK(drive.velocity(t) == 0.0);
    }
}

TEST_CASE("a table is exact at its rows, smooth between them, and ends at rest") {
    const Drive drive = Drive::table(
        "# measured\ndisplacement_m, time_s\n0,0\n1e-6,1e-5\n\n4e-6,2e-5\n3e-6,3.5e-5\n3e-6,5e-5\n",
        "piston.csv");
    CHECK(drive.displacement(0.0) == 0.0);
    CHECK_RELATIVE(drive.displacement(1e-5), 1e-6, 1e-14);
    CHECK_RELATIVE(drive.displacement(2e-5), 4e-6, 1e-14);
    CHECK_RELATIVE(drive.displacement(3.5e-5), 3e-6, 1e-14);
    for (const double t : {0.4e-5, 1e-5, 1.7e-5, 2.9e-5}) {
        const double slope =
            (drive.displacement(t + 1e-10) - drive.displacement(t - 1e-10)) / 2e-10;
        CHECK_ABSOLUTE(slope, drive.velocity(t), 1e-4 * drive.largest_speed());
    }
    for (const double t : {5e-5, 6e-5, 1.0}) {
        CHECK(drive.displacement(t) == 3e-6);
        CHECK(drive.velocity(t) == 0.0);
    }
    const Drive spreadsheet = Drive::table(
        "\xEF\xBB\xBF\"time_s\";\"displacement_m\"\r\n0;0\r\n1e-5;1e-6\r\n2e-5;4e-6\r\n3,5e-5;3e-"
        "6\r\n"
        "5e-5;0,3e-5\r\n",
        "piston.csv");
    CHECK(spreadsheet.displacement(2.9e-5) == drive.displacement(2.9e-5));
}

TEST_CASE("a table of constant velocity gives it everywhere, a table of a sine nearly the sine") {
    const Drive steady =
        Drive::table(header + "0,0\n1e-4,2e-5\n2e-4,4e-5\n4e-4,8e-5\n", "piston.csv");
    for (const double t : {0.0, 0.3e-4, 1.9e-4, 3.99e-4}) {
        CHECK_ABSOLUTE(steady.displacement(t), 0.2 * t, 1e-18);
        CHECK_RELATIVE(steady.velocity(t), 0.2, 1e-12);
    }
    CHECK_RELATIVE(steady.largest_speed(), 0.2, 1e-12);

    const Drive sine = Drive::sine(5e3, 2e-7);
    std::string rows = header;
    for (int i = 0; i <= 200; ++i)
        rows += fmt::format("{},{}\n", i * 2e-6, i == 0 ? 0.0 : sine.displacement(i * 2e-6));
    const Drive table = Drive::table(rows, "piston.csv");
    for (double t = 1e-5; t < 3.9e-4; t += 0.7e-6) {
        // 100 rows per period: 4e-8 and 2e-6 inside, and more within five rows of the end.
        CHECK_ABSOLUTE(table.displacement(t), sine.displacement(t), 1e-6 * 2e-7);
        CHECK_ABSOLUTE(table.velocity(t), sine.velocity(t), 1e-4 * sine.largest_speed());
    }
    CHECK(table.doubt().empty());
    CHECK(steady.doubt().empty());
    const Drive kink =
        Drive::table(header + "0,0\n1,0\n2,0\n3,1\n4,2\n5,3\n6,3\n7,3\n", "kink.csv");
    CHECK(kink.doubt().starts_with("the rows at "));
}

TEST_CASE("a table that cannot move a wall is refused, and the line is named") {
    const std::string end = "1,0\n2,0\n3,0\n";
    CHECK(error_of("") == "piston.csv, line 0: no column names");
    CHECK(error_of("time_s,position\n") ==
          "piston.csv, line 1: no column displacement_m; expected time_s,displacement_m");
    CHECK(error_of("time_s,displacement_m,force_N\n") ==
          "piston.csv, line 1: unknown column \"force_N\"; expected time_s,displacement_m");
    CHECK(error_of("time_s,displacement_m,time_s\n") ==
          "piston.csv, line 1: a second column \"time_s\"; expected time_s,displacement_m");
    CHECK(error_of(header + "0\n") == "piston.csv, line 2: 1 cells, not 2");
    CHECK(error_of(header + "0,\n") ==
          "piston.csv, line 2: displacement_m is empty; expected a number");
    CHECK(error_of(header + ",0\n") == "piston.csv, line 2: time_s is empty; expected a number");
    CHECK(error_of(header + "0,far\n") ==
          "piston.csv, line 2: displacement_m is \"far\", not a finite number");
    CHECK(error_of(header + "0,0\ninf,1\n") ==
          "piston.csv, line 3: time_s is \"inf\", not a finite number");
    CHECK(error_of(header + "0,0\n1,nan\n") ==
          "piston.csv, line 3: displacement_m is \"nan\", not a finite number");
    CHECK(error_of(header + "1e-6,0\n" + end) ==
          "piston.csv, line 2: time_s starts at 1e-06; expected 0");
    CHECK(error_of(header + "0,1e-6\n" + end) ==
          "piston.csv, line 2: displacement_m starts at 1e-06; expected 0: it counts from the "
          "wall's initial position");
    CHECK(error_of(header + "0,0\n2,1\n1,1\n3,1\n") ==
          "piston.csv, line 4: time_s is 1 after 2; expected rising times");
    CHECK(error_of(header + "0,0\n1,1\n1,1\n3,1\n") ==
          "piston.csv, line 4: time_s is 1 after 1; expected rising times");
    CHECK(error_of(header) == "piston.csv: 0 rows; expected at least 4");
    CHECK(error_of(header + "0,0\n1,1\n2,2\n") == "piston.csv: 3 rows; expected at least 4");
    CHECK(error_of(header + "0,0\n" + end) == "no error");
}

}  // namespace beadwave::validation::drive_test
