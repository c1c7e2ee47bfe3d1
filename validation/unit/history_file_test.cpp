// The data appended to a history file can be read back, for any size.
#include "beadwave/history.hpp"
#include "beadwave/input_error.hpp"
#include "history_fixture.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/history_follower.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace beadwave::validation::history_file_test {

using namespace history_fixture;
using beadwave::io::HistoryFollower;

namespace {

const std::vector<std::int64_t> two_sensors = {2, 0};

/// Different for every sample, sensor or bead, and quantity.
double number(std::size_t sample, std::size_t item, double quantity) {
    return static_cast<double>(sample) + 1e-5 * static_cast<double>(item) + 0.25 * quantity;
}

std::vector<double> row(std::size_t sample, std::size_t items, double quantity) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < items; ++i)
        numbers.push_back(number(sample, i, quantity));
    return numbers;
}

std::vector<double> rows(std::size_t samples, std::size_t items, double quantity) {
    std::vector<double> numbers;
    for (std::size_t t = 0; t < samples; ++t) {
        for (std::size_t i = 0; i < items; ++i)
            numbers.push_back(number(t, i, quantity));
    }
    return numbers;
}

std::int64_t step(std::size_t sample) {
    return static_cast<std::int64_t>(10 * sample);
}
double time(std::size_t sample) {
    return 1e-7 * static_cast<double>(sample);
}

void check_axis(const hdf5::File& file, const std::string& element, std::size_t samples) {
    std::vector<std::int64_t> steps;
    std::vector<double> times;
    for (std::size_t t = 0; t < samples; ++t) {
        steps.push_back(step(t));
        times.push_back(time(t));
    }
    CHECK(read<std::int64_t>(file, element + "/step") == steps);
    CHECK(read<double>(file, element + "/time") == times);
    CHECK(text_attribute(file, element + "/time", "unit") == "s");
}

/// {0, 1, chunk - 1, chunk, chunk + 1}, the chunk as the file has it.
std::vector<std::size_t> counts_around_chunk(const std::string& element, std::int64_t steps = 100) {
    const TemporaryFolder folder;
    HistoryFile(folder / "x.h5", chain_of(3), two_sensors, true, a_run, steps).close();
    const std::size_t rows_per_chunk = chunk(open(folder / "x.h5"), element + "/value").front();
    REQUIRE(rows_per_chunk > 2);
    return {0, 1, rows_per_chunk - 1, rows_per_chunk, rows_per_chunk + 1, 2 * rows_per_chunk};
}

}  // namespace

TEST_CASE("a history file names its format, program and units") {
    const TemporaryFolder folder;
    HistoryFile(folder / "x.h5", chain_of(3), two_sensors, true, a_run).close();
    const hdf5::File file = open(folder / "x.h5");
    CHECK(integer_attribute(file, "/h5md", "version") == std::vector<std::int64_t>{1, 1});
    CHECK(text_attribute(file, "/h5md/author", "name") != "");
    CHECK(text_attribute(file, "/h5md/creator", "name") == "beadwave");
    CHECK(text_attribute(file, "/h5md/creator", "version") != "");
    CHECK(integer_attribute(file, "/h5md/modules/units", "version") ==
          std::vector<std::int64_t>{1, 0});
    CHECK(text_attribute(file, "/h5md/modules/units", "system") == "SI");
}

TEST_CASE("a history file describes its run") {
    const TemporaryFolder folder;
    HistoryFile(folder / "x.h5", chain_of(3), two_sensors, true, a_run).close();
    const hdf5::File file = open(folder / "x.h5");
    CHECK(read<int>(file, "/parameters/format_version") == std::vector{3});
    CHECK(read_text(file, "/parameters/system") == "chain");
    CHECK(read_text(file, "/parameters/scenario") == a_run.scenario_text);
    CHECK(read_text(file, "/parameters/law") == "hertz");
    CHECK(read_text(file, "/parameters/version") ==
          text_attribute(file, "/h5md/creator", "version"));
    CHECK(read<double>(file, "/parameters/time_step") == std::vector{1e-8});
    CHECK(text_attribute(file, "/parameters/time_step", "unit") == "s");
    CHECK(read<int>(file, "/parameters/threads") == std::vector{4});
}

TEST_CASE("a history file describes the beads") {
    const TemporaryFolder folder;
    const beadwave::chain::Chain chain = chain_of(3);
    HistoryFile(folder / "x.h5", chain, two_sensors, false, a_run).close();
    const hdf5::File file = open(folder / "x.h5");
    CHECK(integer_attribute(file, "/particles/beads/box", "dimension") ==
          std::vector<std::int64_t>{3});
    CHECK(text_attribute(file, "/particles/beads/box", "boundary") == "nonenonenone");
    CHECK(read<std::int64_t>(file, "/particles/beads/id") == std::vector<std::int64_t>{0, 1, 2});
    CHECK(read<double>(file, "/particles/beads/mass") == chain.mass);
    CHECK(text_attribute(file, "/particles/beads/mass", "unit") == "kg");
    CHECK(read<double>(file, "/particles/beads/radius") == chain.radius);
    CHECK(text_attribute(file, "/particles/beads/radius", "unit") == "m");

    const hdf5::Type type(H5Dget_type(dataset(file, "/particles/beads/species").id()));
    CHECK(read<int>(file, "/particles/beads/species", type.id()) == std::vector<int>{0, 1, 0});
    int brass = -1;
    H5Tenum_valueof(type.id(), "brass", &brass);
    CHECK(brass == 1);
}

TEST_CASE("any number of sensor samples can be read back") {
    for (const std::size_t samples : counts_around_chunk("/observables/sensor_force")) {
        CAPTURE(samples);
        const TemporaryFolder folder;
        {
            HistoryFile history(folder / "x.h5", chain_of(3), two_sensors, false, a_run);
            for (std::size_t t = 0; t < samples; ++t) {
                history.append_sensors(step(t), time(t), row(t, 2, 0), row(t, 2, 1));
            }
            history.close();
        }
        const hdf5::File file = open(folder / "x.h5");
        const std::string force = "/observables/sensor_force",
                          velocity = "/observables/sensor_velocity";
        CHECK(shape(file, force + "/value") == Shape{samples, 2});
        CHECK(read<double>(file, force + "/value") == rows(samples, 2, 0));
        CHECK(read<double>(file, velocity + "/value") == rows(samples, 2, 1));
        CHECK(text_attribute(file, force + "/value", "unit") == "N");
        CHECK(text_attribute(file, velocity + "/value", "unit") == "m s-1");
        for (const std::string& element : {force, velocity}) {
            CHECK(integer_attribute(file, element + "/value", "beads") == two_sensors);
            CHECK(read<std::int64_t>(file, element + "/beads") == two_sensors);
            check_axis(file, element, samples);
        }
    }
}

TEST_CASE("sensor samples that come together are stored like those that come one by one") {
    std::int64_t steps = 100;
    SUBCASE("of a short run") {}
    SUBCASE("of a long run, in larger chunks") {
        steps = 100'000;
    }
    const std::size_t rows_per_chunk =
        counts_around_chunk("/observables/sensor_force", steps).at(3);
    CHECK((rows_per_chunk > 1024) == (steps > 100));
    const std::size_t samples = 2 * rows_per_chunk + 300;
    const std::vector<double> forces = rows(samples, 2, 0), velocities = rows(samples, 2, 1);
    auto now = std::chrono::steady_clock::now();
    for (const std::size_t together : {std::size_t{7}, rows_per_chunk, samples}) {
        CAPTURE(together);
        const TemporaryFolder folder;
        {
            HistoryFile history(folder / "x.h5", chain_of(3), two_sensors, false, a_run, steps);
            history.append_sensors(step(0), time(std::size_t{0}), row(0, 2, 0), row(0, 2, 1));
            for (std::size_t first = 1; first < samples; first += together) {
                const std::size_t end = std::min(first + together, samples);
                std::vector<std::int64_t> steps;
                std::vector<double> times;
                for (std::size_t t = first; t < end; ++t) {
                    steps.push_back(step(t));
                    times.push_back(time(t));
                }
                const auto part = [&](const std::vector<double>& all) {
                    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(2 * first);
                    return std::vector<double>(
                        begin, begin + static_cast<std::ptrdiff_t>(2 * (end - first)));
                };
                history.append_sensors(steps, times, part(forces), part(velocities));
                history.flush_if_due(now += std::chrono::hours(1));
            }
            history.close();
        }
        const hdf5::File file = open(folder / "x.h5");
        CHECK(read<double>(file, "/observables/sensor_force/value") == forces);
        CHECK(read<double>(file, "/observables/sensor_velocity/value") == velocities);
        check_axis(file, "/observables/sensor_force", samples);
    }
}

TEST_CASE("any number of energy samples can be read back") {
    const auto entries =
        beadwave::recording::sampled_entries(beadwave::recording::SystemKind::chain);
    for (const std::size_t samples : counts_around_chunk("/observables/kinetic_energy")) {
        CAPTURE(samples);
        const TemporaryFolder folder;
        {
            HistoryFile history(folder / "x.h5", chain_of(3), two_sensors, false, a_run);
            for (std::size_t t = 0; t < samples; ++t) {
                beadwave::recording::Ledger ledger{};
                double quantity = 0;
                for (const auto& entry : entries)
                    ledger.*entry.value = number(t, 0, quantity++);
                history.append_energy(step(t), time(t), ledger);
            }
            history.close();
        }
        const hdf5::File file = open(folder / "x.h5");
        double quantity = 0;
        for (const std::string name :
             {"kinetic_energy", "stored_energy", "dissipated_energy", "broken_energy",
              "external_work", "sleep_loss_energy", "energy_error", "relative_energy_error"}) {
            CHECK(shape(file, "/observables/" + name + "/value") == Shape{samples});
            CHECK(read<double>(file, "/observables/" + name + "/value") ==
                  rows(samples, 1, quantity++));
            CHECK(text_attribute(file, "/observables/" + name + "/value", "unit") ==
                  (name == "relative_energy_error" ? "1" : "J"));
            check_axis(file, "/observables/" + name, samples);
        }
    }
}

namespace {

/// Writes snapshots and compares everything that is read back.
void check_snapshots(std::size_t beads, std::size_t samples) {
    CAPTURE(beads);
    CAPTURE(samples);
    const TemporaryFolder folder;
    const beadwave::chain::Chain chain = chain_of(beads);
    {
        HistoryFile history(folder / "x.h5", chain, {}, true, a_run);
        for (std::size_t t = 0; t < samples; ++t) {
            history.append_snapshot(step(t), time(t), row(t, beads, 0), row(t, beads, 1),
                                    row(t, beads + 1, 2));
        }
        history.close();
    }
    const std::vector<double> start = chain.positions();
    std::vector<double> position, velocity;
    for (std::size_t t = 0; t < samples; ++t) {
        for (std::size_t i = 0; i < beads; ++i) {
            position.insert(position.end(), {start[i] + number(t, i, 0), 0.0, 0.0});
            velocity.insert(velocity.end(), {number(t, i, 1), 0.0, 0.0});
        }
    }
    const hdf5::File file = open(folder / "x.h5");
    const std::string group = "/particles/beads/";
    CHECK(shape(file, group + "position/value") == Shape{samples, beads, 3});
    CHECK((read<double>(file, group + "position/value") == position));
    CHECK(text_attribute(file, group + "position/value", "unit") == "m");
    CHECK(shape(file, group + "velocity/value") == Shape{samples, beads, 3});
    CHECK((read<double>(file, group + "velocity/value") == velocity));
    CHECK(text_attribute(file, group + "velocity/value", "unit") == "m s-1");
    CHECK(shape(file, group + "displacement/value") == Shape{samples, beads});
    CHECK((read<double>(file, group + "displacement/value") == rows(samples, beads, 0)));
    CHECK(text_attribute(file, group + "displacement/value", "unit") == "m");
    for (const std::string element : {"position", "velocity", "displacement"}) {
        check_axis(file, group + element, samples);
    }
    const std::string contacts = "/observables/contact_force";
    CHECK(shape(file, contacts + "/value") == Shape{samples, beads + 1});
    CHECK((read<double>(file, contacts + "/value") == rows(samples, beads + 1, 2)));
    CHECK(text_attribute(file, contacts + "/value", "unit") == "N");
    check_axis(file, contacts, samples);
    CHECK((read<double>(file, "/parameters/contact_gap") == chain.gap));
    CHECK(text_attribute(file, "/parameters/contact_gap", "unit") == "m");
}

}  // namespace

TEST_CASE("any number of snapshots of a short chain can be read back") {
    for (const std::size_t samples : counts_around_chunk("/particles/beads/position")) {
        check_snapshots(3, samples);
    }
}

TEST_CASE("snapshots of a chain longer than a slab can be read back completely") {
    const std::size_t slab = 43690;  // 1 MiB of vectors
    for (const std::size_t beads : {slab - 1, slab, slab + 1, 3 * slab + 5})
        check_snapshots(beads, 2);
}

TEST_CASE("without sensors or snapshots their elements are absent") {
    const TemporaryFolder folder;
    HistoryFile(folder / "x.h5", chain_of(3), {}, false, a_run).close();
    const hdf5::File file = open(folder / "x.h5");
    CHECK_FALSE(exists(file, "/particles/beads/position"));
    CHECK_FALSE(exists(file, "/observables/sensor_force"));
    CHECK(exists(file, "/observables/kinetic_energy"));
}

TEST_CASE("any number of sensors is listed in a dataset, up to 4,000 also in an attribute") {
    for (const std::size_t count : {4000, 4001, 20000}) {
        const TemporaryFolder folder;
        std::vector<std::int64_t> sensors(count);
        for (std::size_t i = 0; i < sensors.size(); ++i)
            sensors[i] = static_cast<std::int64_t>(i);
        HistoryFile history(folder / "x.h5", chain_of(count), sensors, false, a_run);
        history.append_sensors(10, 1e-7, row(0, count, 0), row(0, count, 1));
        history.close();
        const hdf5::File file = open(folder / "x.h5");
        for (const std::string element : {"/observables/sensor_force",  //
                                          "/observables/sensor_velocity"}) {
            CHECK((read<std::int64_t>(file, element + "/beads") == sensors));
            const hdf5::Dataset value = dataset(file, element + "/value");
            CHECK((H5Aexists(value.id(), "beads") > 0) == (count <= 4000));
            if (count <= 4000) {
                CHECK((integer_attribute(file, element + "/value", "beads") == sensors));
            }
        }
        HistoryFollower follower(folder / "x.h5");
        follower.poll();
        const auto progress = follower.progress();
        REQUIRE(progress->peak);
        CHECK(progress->peak->bead == static_cast<std::int64_t>(count) - 1);
    }
}

TEST_CASE("a history of an earlier version of the format is refused") {
    const TemporaryFolder folder;
    HistoryFile history(folder / "x.h5", chain_of(3), two_sensors, false, a_run);
    history.append_sensors(10, 1e-7, std::vector{1.0, 5.0}, std::vector{0.0, 0.0});
    history.close();
    {
        const hdf5::File file(hdf5::checked("open", "x.h5", [&] {
            return H5Fopen((folder / "x.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        }));
        hdf5::checked("delete", "format_version", [&] {
            return H5Ldelete(file.id(), "/parameters/format_version", H5P_DEFAULT);
        });
    }
    const std::string sentence = (folder / "x.h5").string() +
                                 ": was written by an earlier version, whose names have changed; "
                                 "run the scenario again";
    HistoryFollower follower(folder / "x.h5");
    follower.poll();
    CHECK_THROWS_WITH_AS(follower.progress(), sentence.c_str(), beadwave::InputError);
    CHECK_THROWS_WITH_AS(beadwave::History(folder / "x.h5"), sentence.c_str(),
                         beadwave::InputError);
}

}  // namespace beadwave::validation::history_file_test
