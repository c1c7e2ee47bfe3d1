// Wrong HDF5 files: a real history, checkpoint or table of a sweep with altered groups and
// datasets, or with changed or missing bytes, or any bytes; given to all functions that read or
// recognise such files.
//
// The first byte selects the kind. Changed bytes are mostly detected by HDF5's own checksums;
// altered files are valid HDF5 of wrong structure and reach beadwave's readers.
#include "beadwave/history.hpp"
#include "io/durable/checksum_header.hpp"
#include "io/files/hdf5_results.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/history_follower.hpp"
#include "io/tables/sweep_writers.hpp"
#include "memory_file.hpp"
#include "real_files.hpp"
#include "target.hpp"

#include <array>
#include <stdexcept>
#include <string>

namespace {

using namespace beadwave;

/// A file that cannot be read gives exit status 1 or 2.
template <typename Read>
void attempt(const Read& read) {
    try {
        fuzz::attempt(read);
    } catch (const std::runtime_error&) {
        // allowed
    }
}

/// Reads a history as other programs do.
void read_all(const std::string& path) {
    const History history(path);
    attempt([&] { history.scenario(); });
    attempt([&] { history.time_step(); });
    for (const std::string& name : history.names()) {
        attempt([&] { history.shape(name); });
        attempt([&] { history.read(name, 0, 8); });
        attempt([&] { history.over_time(name, 0); });
    }
    attempt([&] { history.sensor(1); });
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

/// Does what `beadwave watch` does.
void watch(const std::string& path) {
    io::HistoryFollower history(path);
    if (history.poll() != io::HistoryFollower::State::absent) history.progress();
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
    const bool is_checkpoint = kind % 2 == 1;
    const bool sweep = !is_checkpoint && kind / 6 % 3 == 2;
    fuzz::Image image = originals[is_checkpoint ? 1 : sweep ? 2 : 0];
    const std::size_t user_block = is_checkpoint ? io::checksum_header_bytes : 0;
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
    if (is_checkpoint && image.size() > io::checksum_header_bytes) {
        io::write_checksum_header(file.path());
        attempt([] { io::CheckpointFile checkpoint(file.path()); });
    }
    attempt([] { read_all(file.path()); });
    attempt([] { watch(file.path()); });
    attempt([] { io::hdf5::open_while_growing(file.path()); });
    attempt([] { io::history_result.is_one(file.path()); });
    attempt([] { io::sweep_result.is_one(file.path()); });
    attempt([] { io::is_orphaned_history(file.path()); });
    fuzz::close_discarded();
    return 0;
}
