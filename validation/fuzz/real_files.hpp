// Real files of a short run, written once, for targets that alter them.
#pragma once

#include "altered_file.hpp"
#include "chain/build_chain.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "running/chain_system.hpp"
#include "running/step_loop.hpp"
#include "running/stepped_chain.hpp"
#include "still_engine.hpp"
#include "subjects/chain/chain_reader.hpp"

#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace beadwave::fuzz {

inline constexpr const char* real_scenario_text = R"([material.steel]
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

/// A temporary folder, in memory if the machine has /dev/shm.
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

inline Image image_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Writes x.h5, a history with a few samples, and x.checkpoint.h5 from the middle of its run.
inline void make_real_files(const Folder& folder) {
    const chain::Scenario scenario =
        io::read_scenario_text(real_scenario_text, "chain.toml").scenario;
    const chain::Chain chain = chain::build_chain(scenario);
    const stepping::TimeStep step = running::choose_time_step(scenario, chain);
    const running::Settings settings = running::settings_of(scenario);
    validation::StillEngine engine(chain);
    running::SteppedChain system(chain, settings, step, engine);
    io::HistoryStore history(
        folder / "x.h5", system.description(),
        {.scenario_text = scenario.text, .law = "hertz", .time_step = step.step, .threads = 1});
    running::Callbacks callbacks{.store = &history};
    callbacks.stop = [&] { return engine.step() > 0; };
    callbacks.checkpoint = [&](const auto& observers) {
        io::write_checkpoint(folder / "x.checkpoint.h5", &history, folder / "x.h5",
                             {.time_step = step},
                             {.system = io::text_of(system.fingerprint()),
                              .step = system.step(),
                              .columns = system.state(),
                              .observers = observers});
    };
    running::run_steps(system, settings, step, system.standard_energy_interval(), callbacks,
                       nullptr);
    history.close();
}

/// Closes the HDF5 objects that a failed write or read has released.
inline void close_discarded() {
    const io::hdf5::Silence silence;
    std::vector<hid_t> files(16);
    const ssize_t count = H5Fget_obj_ids(H5F_OBJ_ALL, H5F_OBJ_ALL, files.size(), files.data());
    for (ssize_t i = 0; i < count; ++i) {
        while (H5Iis_valid(files[static_cast<std::size_t>(i)]) > 0)
            if (H5Idec_ref(files[static_cast<std::size_t>(i)]) < 0) break;
    }
}

/// Changes single bytes or cuts the file, as the remaining input selects.
inline void scratch(Image& image, Bytes& choices) {
    while (!choices.empty() && !image.empty()) {
        const std::size_t place = choices.number<std::uint32_t>() % image.size();
        if (choices.byte() == 255) {
            image.resize(place);
        } else {
            image[place] ^= choices.byte();
        }
    }
}

}  // namespace beadwave::fuzz
