#include "io/history/history_follower.hpp"

#include "beadwave/input_error.hpp"
#include "io/durable/read_descriptor.hpp"
#include "io/durable/writer_lock.hpp"
#include "io/files/output_path.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/format_version.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace beadwave::io {
namespace {

namespace fs = std::filesystem;
using State = HistoryFollower::State;

constexpr std::string_view running_ending = ".running.h5";

struct Observation {
    State state;
    FileIdentity file;
};

Observation observe(const fs::path& history, const fs::path& running) {
    constexpr int attempts = 5;
    for (int attempt = 0;; ++attempt) {
        const ReadDescriptor file(running);
        if (file.descriptor() < 0) {
            const FileIdentity closed = identity_of(history);
            return {closed == FileIdentity{} ? State::absent : State::closed, closed};
        }
        const FileIdentity identity = identity_of(file.descriptor());
        if (has_writer(file.descriptor())) return {State::growing, identity};
        // Without a writer; or only for the moment in which a run starts or ends.
        if (attempt == attempts) return {State::orphaned, identity};
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

/// Whether a number in a file can be the number of a step.
bool is_step(double number) {
    return number >= 0.0 && number < 9e15;
}

/// The number of rows that both have.
hsize_t rows_in(const hdf5::Dataset& one, const hdf5::Dataset& other) {
    return std::min(hdf5::rows_of(one), hdf5::rows_of(other));
}

/// The numbers of the beads or particles that have sensors.
std::vector<std::int64_t> sensor_bodies(const hdf5::File& file, const std::string& quantity) {
    const std::string beads = quantity + "/beads";
    return hdf5::read_integer_list(file.id(),
                                   hdf5::has(file.id(), beads) ? beads : quantity + "/particles");
}

}  // namespace

fs::path running_path(const fs::path& history) {
    const fs::path file = without_links(history);
    fs::path name = file.filename();
    if (name.extension() == ".h5") name.replace_extension();
    return fs::path(file).replace_filename(name.concat(running_ending));
}

bool is_running_name(const fs::path& path) {
    return path.filename().string().ends_with(running_ending);
}

struct HistoryFollower::Followed {
    explicit Followed(const fs::path& name) : history(name), running(running_path(name)) {}

    fs::path history, running;
    Observation observed{.state = State::absent, .file = {}};
    bool was_growing = false;  ///< it was found growing at least once

    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> unreadable;  ///< since this time

    // The results of the samples read so far.
    hsize_t sensor_rows = 0;
    std::optional<Progress::Peak> peak;

    const fs::path& path() const { return observed.state == State::closed ? history : running; }

    void find_peak(const hdf5::File& file);
    std::optional<Progress> progress(const hdf5::File& file);
};

HistoryFollower::HistoryFollower(const fs::path& history)
    : followed_(std::make_unique<Followed>(history)) {}
HistoryFollower::~HistoryFollower() = default;

State HistoryFollower::poll() {
    Followed& followed = *followed_;
    Observation observed = observe(followed.history, followed.running);
    const FileIdentity before = followed.observed.file;
    if (followed.was_growing && observed.file != before) {
        if (identity_of(followed.history) == before) {
            observed = {State::closed, before};  // the next run of this name may have started
        } else if (observed.state != State::growing) {
            observed = {State::absent, {}};
        }
    }
    if (observed.file != before) {
        followed.sensor_rows = 0;
        followed.peak.reset();
    }
    followed.was_growing = followed.was_growing || observed.state == State::growing;
    followed.observed = observed;
    return observed.state;
}

const fs::path& HistoryFollower::path() const {
    return followed_->path();
}

void HistoryFollower::Followed::find_peak(const hdf5::File& file) {
    // A mechanism has no sensors; its contacts are used instead.
    const std::string system = hdf5::read_text(file.id(), "parameters/system");
    const bool contacts = system == "mechanism";
    const std::string name = contacts              ? "observables/contact_force"
                             : system == "packing" ? "observables/net_contact_force"
                                                   : "observables/sensor_force";
    if (!hdf5::has(file.id(), name)) return;
    const hdf5::Dataset time = hdf5::open_dataset(file.id(), name + "/time");
    const hdf5::Dataset value = hdf5::open_dataset(file.id(), name + "/value");
    std::vector<std::int64_t> bodies;
    if (contacts) {
        const auto shape = hdf5::shape_of(value);
        bodies.resize(shape.size() == 2 ? shape[1] : 0);
        std::iota(bodies.begin(), bodies.end(), 0);
    } else {
        bodies = sensor_bodies(file, name);
    }
    // The forces of a packing are vectors.
    const std::size_t parts = hdf5::shape_of(value).size() == 3 ? 3 : 1;
    std::vector<hsize_t> of_row{bodies.size()};
    if (parts == 3) of_row.push_back(parts);
    hdf5::check_shape(value, name + "/value", of_row);
    if (bodies.empty()) return;
    const hsize_t rows = rows_in(time, value),
                  most = std::max<hsize_t>(1, (1 << 20) / (bodies.size() * parts));
    while (sensor_rows < rows) {
        const hsize_t count = std::min(most, rows - sensor_rows);
        std::vector<double> force = hdf5::read_rows(value, sensor_rows, count);
        if (parts == 3) {
            for (std::size_t i = 0; i < force.size() / 3; ++i)
                force[i] = std::hypot(force[3 * i], force[3 * i + 1], force[3 * i + 2]);
            force.resize(force.size() / 3);
        }
        const auto largest = std::max_element(force.begin(), force.end());
        if (!peak || *largest > peak->force) {
            const auto place = static_cast<std::size_t>(largest - force.begin());
            const hsize_t row = sensor_rows + place / bodies.size();
            peak = Progress::Peak{.force = *largest,
                                  .bead = bodies[place % bodies.size()],
                                  .body = contacts     ? "contact"
                                          : parts == 3 ? "particle"
                                                       : "bead",
                                  .time = hdf5::read_number_in_row(time, row)};
        }
        sensor_rows += count;
    }
}

std::optional<Progress> HistoryFollower::Followed::progress(const hdf5::File& file) {
    for (const char* needed : {"parameters/scenario", "observables/kinetic_energy/value"}) {
        if (!hdf5::has(file.id(), needed))
            throw InputError(
                fmt::format("{}: is not a history: it has no /{}", path().string(), needed));
    }
    check_format_version(file, path().string());
    // A mechanism has no steps of fixed length; its samples are counted instead.
    const bool sampled = hdf5::has(file.id(), "parameters/samples");
    const std::string count = sampled ? "parameters/samples" : "parameters/steps";
    const double steps = hdf5::read_number(file.id(), count);
    if (!is_step(steps)) throw std::runtime_error(count + " is not a number of steps");
    Progress progress{.step = -1,
                      .steps = static_cast<std::int64_t>(steps),
                      .time = 0.0,
                      .end = sampled ? hdf5::read_number(file.id(), "parameters/end_time")
                                     : steps * hdf5::read_number(file.id(), "parameters/time_step"),
                      .energy = {},
                      .peak = {}};

    find_peak(file);
    progress.peak = peak;
    for (const std::string element :
         {"observables/sensor_force", "observables/net_contact_force", "observables/kinetic_energy",
          "particles/beads/position", "particles/all/position"}) {
        if (!hdf5::has(file.id(), element)) continue;
        const hdf5::Dataset step = hdf5::open_dataset(file.id(), element + "/step");
        const hdf5::Dataset time = hdf5::open_dataset(file.id(), element + "/time");
        const hsize_t rows = rows_in(step, time);
        if (rows == 0) continue;
        const double at = hdf5::read_number_in_row(step, rows - 1);
        if (!is_step(at)) throw std::runtime_error(element + "/step is not the number of a step");
        const auto last = static_cast<std::int64_t>(at);
        if (last <= progress.step) continue;
        progress.step = last;
        progress.time = hdf5::read_number_in_row(time, rows - 1);
    }

    std::vector<hdf5::Dataset> energy;
    for (const char* name : {"time", "value"})
        energy.push_back(
            hdf5::open_dataset(file.id(), std::string("observables/kinetic_energy/") + name));
    for (const char* name : {"stored", "dissipated"})
        energy.push_back(
            hdf5::open_dataset(file.id(), fmt::format("observables/{}_energy/value", name)));
    hsize_t rows = hdf5::rows_of(energy[0]);
    for (const hdf5::Dataset& column : energy)
        rows = std::min(rows, hdf5::rows_of(column));
    if (rows > 0) {
        const auto last = [&](std::size_t column) {
            return hdf5::read_number_in_row(energy[column], rows - 1);
        };
        progress.energy = {
            .time = last(0), .kinetic = last(1), .stored = last(2), .dissipated = last(3)};
    }
    if (progress.step < 0) return std::nullopt;
    return progress;
}

std::optional<Progress> HistoryFollower::progress() {
    Followed& followed = *followed_;
    if (followed.observed.state == State::absent) return std::nullopt;
    try {
        const hdf5::File file = followed.observed.state == State::closed
                                    ? hdf5::open_to_read(followed.path())
                                    : hdf5::open_while_growing(followed.path());
        std::optional<Progress> progress = followed.progress(file);
        followed.unreadable.reset();
        return progress;
    } catch (const InputError&) {
        throw;
    } catch (const std::runtime_error& error) {
        // It is just being created, or was closed in the meantime: the next poll finds out.
        const auto now = Followed::Clock::now();
        if (!followed.unreadable) followed.unreadable = now;
        if (followed.observed.state == State::growing &&
            now - *followed.unreadable < std::chrono::seconds(2))
            return std::nullopt;
        throw std::runtime_error(fmt::format("{}: {}", followed.path().string(), error.what()));
    }
}

}  // namespace beadwave::io
