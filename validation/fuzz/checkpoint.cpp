// A checkpoint with altered groups and datasets and a correct checksum header: the code that reads
// it, resumes the run and copies the history.
//
// checksum_header.cpp tests the header with any bytes; hdf5_files.cpp gives damaged bytes to HDF5.
#include "io/durable/checksum_header.hpp"
#include "memory_file.hpp"
#include "real_files.hpp"
#include "scenario_use.hpp"
#include "target.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>

namespace {

using namespace beadwave;

/// Does what `beadwave resume` does.
void resume(const std::string& path, const std::filesystem::path& output) {
    const io::CheckpointFile checkpoint(path);
    const chain::Scenario scenario =
        io::read_scenario_text(checkpoint.scenario_text(), "it", checkpoint.file_texts()).scenario;
    if (scenario.bead_count() > fuzz::most_beads || scenario.time.end > 1e-5) return;
    const chain::Chain chain = chain::build_chain(scenario);
    const stepping::TimeStep step = running::choose_time_step(scenario, chain);
    if (step.step != checkpoint.time_step() || step.count > 1000) return;
    const running::Settings settings = running::settings_of(scenario);
    validation::StillEngine engine(chain);
    running::SteppedChain system(chain, settings, step, engine);
    const running::SavedState saved = checkpoint.saved_state();
    saved.restore(system);
    io::HistoryStore history(output, system.description(), checkpoint.history());
    running::run_steps(system, settings, step, system.standard_energy_interval(),
                       {.store = &history}, &saved.observers);
    history.close();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::Folder folder;
    static const fuzz::Image original = [] {
        fuzz::make_real_files(folder);
        return fuzz::image_of(folder / "x.checkpoint.h5");
    }();
    static const fuzz::MemoryFile file;
    fuzz::Bytes choices({data, size});
    file.hold(fuzz::altered(original, io::checksum_header_bytes, choices));
    io::write_checksum_header(file.path());
    try {
        fuzz::attempt([] { resume(file.path(), folder / "y.h5"); });
    } catch (const std::runtime_error&) {
        // the run failed: exit status 1
    }
    fuzz::close_discarded();
    return 0;
}
