// A checkpoint whose groups and datasets were altered, and which was sealed again: what reads it
// behind the seal, goes on from it and copies its history.
//
// Not reached: libhdf5 with a file of wrong structure. The seal keeps damage from it, and whoever
// forges a seal has its faults, not ours. What the seal itself does with any bytes is seal.cpp's.
#include "altered_file.hpp"
#include "chain/build_chain.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/checkpoint/checkpoint_seal.hpp"
#include "io/scenario/scenario_reader.hpp"
#include "memory_file.hpp"
#include "running/model.hpp"
#include "scenario_use.hpp"
#include "still_engine.hpp"
#include "target.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using namespace beadwave;

constexpr const char* scenario_text = R"([material.steel]
youngs_modulus = 2e11
poisson_ratio = 0.3
[[segment]]
beads = 3
radius = 1e-3
mass = 1e-4
material = "steel"
velocity = 1.0
[law]
name = "hertz"
[time]
end = 4e-6
step = 1e-7
[sensors]
beads = [1, 2]
[snapshots]
interval = 1e-6
)";

/// In memory where the machine has such a folder.
class Folder {
  public:
    Folder() {
        const std::filesystem::path memory = "/dev/shm";
        const auto parent =
            std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
        std::string name = (parent / "beadwave-fuzz-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) std::abort();
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path operator/(const char* name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

running::Sinks sinks_to(io::HistoryFile& history) {
    running::Sinks sinks;
    sinks.sensors = [&](auto step, auto time, auto force, auto velocity) {
        history.append_sensors(step, time, force, velocity);
    };
    sinks.snapshot = [&](auto step, auto time, auto displacement, auto velocity, auto force) {
        history.append_snapshot(step, time, displacement, velocity, force);
    };
    sinks.energy = [&](auto step, auto time, const observers::Ledger& ledger, auto observed) {
        history.append_energy(step, time, ledger, observed);
    };
    return sinks;
}

/// A right one, from the middle of its run.
fuzz::Image make_checkpoint(const Folder& folder) {
    const chain::Scenario scenario = io::read_scenario_text(scenario_text, "chain.toml").scenario;
    const chain::Chain chain = chain::build_chain(scenario);
    const dynamics::TimeStep step = running::choose_time_step(scenario, chain);
    fuzz::StillEngine engine(chain);
    const auto path = folder / "x.checkpoint.h5";
    io::HistoryFile history(
        folder / "x.h5", chain, scenario.sensors->ids, true,
        {.scenario_text = scenario.text, .law = "hertz", .time_step = step.step, .threads = 1});
    running::Sinks sinks = sinks_to(history);
    sinks.stop = [&] { return engine.step() > 0; };
    sinks.checkpoint = [&](const auto& observers) {
        io::write_checkpoint(path, history, folder / "x.h5", {.time_step = step}, chain, engine,
                             observers);
    };
    running::simulate(running::settings_of(scenario), chain, step, engine, sinks);
    history.close();
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// As `beadwave resume` does.
void resume(const std::string& path, const std::filesystem::path& output) {
    const io::CheckpointFile checkpoint(path);
    const chain::Scenario scenario =
        io::read_scenario_text(checkpoint.scenario_text(), "it", checkpoint.file_texts()).scenario;
    if (scenario.bead_count() > fuzz::most_beads || scenario.time.end > 1e-5) return;
    const chain::Chain chain = chain::build_chain(scenario);
    const dynamics::TimeStep step = running::choose_time_step(scenario, chain);
    if (step.step != checkpoint.time_step() || step.count > 1000) return;
    fuzz::StillEngine engine(chain);
    checkpoint.check_fits(chain, engine);
    io::HistoryFile history(output, chain,
                            scenario.sensors ? scenario.sensors->ids : std::vector<std::int64_t>{},
                            scenario.snapshot_interval.has_value(), checkpoint.file());
    running::continue_simulation(running::settings_of(scenario), chain, step, engine,
                                 sinks_to(history), checkpoint.saved_state());
    history.close();
}

/// Those that a failed write has let go of.
void close_abandoned() {
    const io::hdf5::Silence silence;
    std::vector<hid_t> files(16);
    const ssize_t count = H5Fget_obj_ids(H5F_OBJ_ALL, H5F_OBJ_ALL, files.size(), files.data());
    for (ssize_t i = 0; i < count; ++i) {
        while (H5Iis_valid(files[static_cast<std::size_t>(i)]) > 0)
            if (H5Idec_ref(files[static_cast<std::size_t>(i)]) < 0) break;
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Folder folder;
    static const fuzz::Image original = make_checkpoint(folder);
    static const fuzz::MemoryFile file;
    fuzz::Bytes choices({data, size});
    file.hold(fuzz::altered(original, io::seal_bytes, choices));
    io::seal(file.path());
    try {
        fuzz::attempt([] { resume(file.path(), folder / "y.h5"); });
    } catch (const std::runtime_error&) {
        // the run failed: exit status 1
    }
    close_abandoned();
    return 0;
}
