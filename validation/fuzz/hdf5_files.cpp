// Whole HDF5 files that are not right: a real history, checkpoint or table of a sweep whose groups
// and datasets are altered, or whose bytes are scratched and cut, or any bytes at all; read by
// everything that reads such files or asks which of them one is.
//
// The first byte says which. What is scratched mostly ends at HDF5's own checksums, as damage does;
// what is altered is whole HDF5 of wrong structure and ends in our readers.
#include "beadwave/history.hpp"
#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/files/hdf5_results.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/running_history.hpp"
#include "io/tables/sweep_writers.hpp"
#include "memory_file.hpp"
#include "real_files.hpp"
#include "target.hpp"

#include <array>
#include <stdexcept>
#include <string>

namespace {

using namespace beadwave;

/// What cannot be read may be so with exit status 1 or 2.
template <typename Read>
void attempt(const Read& read) {
    try {
        fuzz::attempt(read);
    } catch (const std::runtime_error&) {
        // as it may be
    }
}

/// As other programs read a history.
void ask_all(const std::string& path) {
    const History history(path);
    attempt([&] { history.scenario(); });
    attempt([&] { history.time_step(); });
    attempt([&] { history.mass(); });
    attempt([&] { history.radius(); });
    for (const char* entry : {"kinetic_energy", "residual", "sensor_force"})
        attempt([&] { history.ledger(entry); });
    attempt([&] {
        for (const std::int64_t bead : history.sensors())
            attempt([&] { history.sensor(bead); });
    });
    attempt([&] {
        const std::size_t count = std::min<std::size_t>(history.snapshot_count(), 8);
        for (std::size_t i = 0; i < count; ++i)
            attempt([&] { history.snapshot(i); });
    });
}

void make_sweep(const std::filesystem::path& path) {
    io::SweepTable table(io::SweepPlan({{"law.psi", {"2", "2.5"}}}),
                         {.of_sensor = {{"peak_force", "N", "N"}},
                          .sensors = {1, 2},
                          .of_run = {{"steps", "", ""}}});
    table.set_done(0, std::array{1.0, 2.0, 3.0}, {});
    table.set_failed(1, "unstable");
    io::write_sweep_hdf5(path, table, fuzz::real_scenario_text);
}

/// As `beadwave watch` does.
void watch(const std::string& path) {
    io::RunningHistory history(path);
    if (history.look() != io::RunningHistory::State::absent) history.progress();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::Folder folder;
    static const auto originals = [] {
        fuzz::make_real_files(folder);
        make_sweep(folder / "sweep.h5");
        return std::array{fuzz::image_of(folder / "x.h5"),
                          fuzz::image_of(folder / "x.checkpoint.h5"),
                          fuzz::image_of(folder / "sweep.h5")};
    }();
    static const fuzz::MemoryFile file;
    fuzz::Bytes choices({data, size});
    const std::uint8_t kind = choices.byte();
    const bool sealed = kind % 2 == 1;
    const bool sweep = !sealed && kind / 6 % 3 == 2;
    fuzz::Image image = originals[sealed ? 1 : sweep ? 2 : 0];
    const std::size_t user_block = sealed ? io::seal_bytes : 0;
    switch (kind / 2 % 3) {
        case 0:
            image = fuzz::altered(image, user_block, choices);
            break;
        case 1:
            fuzz::scratch(image, choices);
            break;
        default: {
            const auto rest = choices.take(size);
            image.assign(rest.begin(), rest.end());
        }
    }
    file.hold(image);
    if (sealed && image.size() > io::seal_bytes) {
        io::seal(file.path());
        attempt([] { io::CheckpointFile checkpoint(file.path()); });
    }
    attempt([] { ask_all(file.path()); });
    attempt([] { watch(file.path()); });
    attempt([] { io::hdf5::open_while_written(file.path()); });
    attempt([] { io::history_result.is_one(file.path()); });
    attempt([] { io::sweep_result.is_one(file.path()); });
    attempt([] { io::is_left_history(file.path()); });
    fuzz::close_abandoned();
    return 0;
}
