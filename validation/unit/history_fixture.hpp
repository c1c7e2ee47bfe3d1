// Shared by the tests of the history file: a temporary folder, a chain, and plain reading.
#pragma once

#include "beadwave/chain/chain.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/history/history_store.hpp"
#include "running/chain_observables.hpp"
#include "running/stepped_chain.hpp"
#include "still_engine.hpp"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace history_fixture {

namespace hdf5 = beadwave::io::hdf5;

/// A temporary folder, removed with its content.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "beadwave-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = pattern;
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    std::size_t file_count() const {
        const std::filesystem::directory_iterator files(path_);
        return static_cast<std::size_t>(std::distance(begin(files), end(files)));
    }

  private:
    std::filesystem::path path_;
};

/// Beads of 1 mm, alternately of steel and brass, 3 mm apart.
inline beadwave::chain::Chain chain_of(std::size_t beads) {
    beadwave::chain::Chain chain;
    chain.species_names = {"steel", "brass"};
    chain.gap.assign(beads + 1, 1e-3);
    for (std::size_t i = 0; i < beads; ++i) {
        chain.radius.push_back(1e-3);
        chain.mass.push_back(1e-3 + 1e-6 * static_cast<double>(i));
        chain.velocity.push_back(0.0);
        chain.species.push_back(i % 2);
    }
    return chain;
}

inline const beadwave::io::RunDescription a_run{"title = \"grüße\"\n", "hertz", 1e-8, 4};

/// The history file of a chain, with samples that the test gives.
class HistoryFile {
  public:
    HistoryFile(const beadwave::io::Output& output, const beadwave::chain::Chain& chain,
                const std::vector<std::int64_t>& sensors, bool snapshots,
                const beadwave::io::RunDescription& run, std::int64_t steps = 100) {
        using namespace beadwave;
        running::Settings settings{.end = 1e-3, .sensors = sensors, .sensor_interval = 1e-8};
        if (snapshots) settings.snapshot_interval = 1e-5;
        stepping::TimeStep step{};
        step.step = 1e-8, step.count = steps;
        validation::StillEngine engine(chain);
        const running::SteppedChain system(chain, settings, step, engine);
        recording::Description described = system.description();
        for (recording::Stream& stream : described.streams) {
            for (recording::Channel& channel : stream.channels) {
                channel.fill = [numbers = &(*given_)[channel.path]](std::size_t first,
                                                                    std::span<double> out) {
                    for (std::size_t i = 0; i < out.size(); ++i)
                        out[i] = numbers->at(first + i);
                };
            }
        }
        store_ = std::make_unique<io::HistoryStore>(output, std::move(described), run);
    }

    using Numbers = std::vector<double>;
    void append_sensors(std::int64_t step, double time, const Numbers& force,
                        const Numbers& velocity) {
        (*given_)["observables/sensor_force"] = force;
        (*given_)["observables/sensor_velocity"] = velocity;
        store_->sample(beadwave::recording::Pace::sensors, step, time);
    }
    /// Several samples at once.
    void append_sensors(const std::vector<std::int64_t>& steps, const Numbers& times,
                        const Numbers& force, const Numbers& velocity) {
        (*given_)["observables/sensor_force"] = force;
        (*given_)["observables/sensor_velocity"] = velocity;
        if (!store_->samples(beadwave::recording::Pace::sensors, steps, times))
            throw std::logic_error("sensors are not collected");
    }
    void append_snapshot(std::int64_t step, double time, const Numbers& displacement,
                         const Numbers& velocity, const Numbers& contact_force) {
        (*given_)["particles/beads/displacement"] = displacement;
        (*given_)["particles/beads/velocity"] = velocity;
        (*given_)["observables/contact_force"] = contact_force;
        store_->sample(beadwave::recording::Pace::snapshots, step, time);
    }
    /// The observables beside the ledger are 0.
    void append_energy(std::int64_t step, double time, const beadwave::recording::Ledger& ledger) {
        using namespace beadwave;
        for (const auto& each : observers::chain_observables())
            (*given_)[std::string("observables/") + each.name] = {0.0};
        for (const auto& entry : recording::sampled_entries(recording::SystemKind::chain))
            (*given_)[std::string("observables/") + entry.quantity] = {entry.of(ledger)};
        store_->sample(recording::Pace::energy, step, time);
    }
    void close() { store_->close(); }
    void flush_if_due(std::chrono::steady_clock::time_point now) { store_->flush_if_due(now); }

  private:
    std::unique_ptr<std::map<std::string, Numbers>> given_ =
        std::make_unique<std::map<std::string, Numbers>>();
    std::unique_ptr<beadwave::io::HistoryStore> store_;
};

inline beadwave::recording::Ledger a_ledger(double kinetic, double stored, double dissipated) {
    return {.kinetic = kinetic, .stored = stored, .dissipated = dissipated};
}

inline hdf5::File open(const std::filesystem::path& path) {
    return hdf5::File(hdf5::checked(
        "open", path.string(), [&] { return H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT); }));
}

inline bool exists(const hdf5::File& file, const std::string& name) {
    const hdf5::Silence silence;
    return H5Oexists_by_name(file.id(), name.c_str(), H5P_DEFAULT) > 0;
}

inline hdf5::Dataset dataset(const hdf5::File& file, const std::string& name) {
    return hdf5::Dataset(hdf5::checked(
        "open", name, [&] { return H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT); }));
}

using Shape = std::vector<hsize_t>;

inline Shape shape(const hdf5::File& file, const std::string& name) {
    const hdf5::Dataset data = dataset(file, name);
    const hdf5::Space space(H5Dget_space(data.id()));
    Shape shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.id())));
    H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr);
    return shape;
}

inline Shape chunk(const hdf5::File& file, const std::string& name) {
    const hdf5::Dataset data = dataset(file, name);
    const hdf5::PropertyList creation(H5Dget_create_plist(data.id()));
    Shape chunk(shape(file, name).size());
    H5Pget_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data());
    return chunk;
}

/// All numbers of a dataset; `type`: their type in memory, if not that of T.
template <typename T>
std::vector<T> read(const hdf5::File& file, const std::string& name,
                    hid_t type = hdf5::type_of<T>()) {
    std::size_t size = 1;
    for (const hsize_t length : shape(file, name))
        size *= length;
    std::vector<T> numbers(size);
    const hdf5::Dataset data = dataset(file, name);
    hdf5::checked("read", name, [&] {
        return H5Dread(data.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    });
    return numbers;
}

inline std::string read_text(const hdf5::File& file, const std::string& name) {
    const hdf5::Dataset data = dataset(file, name);
    const hdf5::Type type(H5Dget_type(data.id()));
    std::string text(H5Tget_size(type.id()), '\0');
    hdf5::checked("read", name, [&] {
        return H5Dread(data.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data());
    });
    return text.substr(0, text.find('\0'));
}

inline hdf5::Attribute attribute(const hdf5::File& file, const std::string& object,
                                 const std::string& name) {
    return hdf5::Attribute(hdf5::checked("open", object + "@" + name, [&] {
        return H5Aopen_by_name(file.id(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    }));
}

/// A string attribute; several fixed-length strings are concatenated.
inline std::string text_attribute(const hdf5::File& file, const std::string& object,
                                  const std::string& name) {
    const hdf5::Attribute data = attribute(file, object, name);
    const hdf5::Type type(H5Aget_type(data.id()));
    if (H5Tis_variable_str(type.id()) > 0) {
        char* free_text = nullptr;
        hdf5::checked("read", name, [&] { return H5Aread(data.id(), type.id(), &free_text); });
        std::string text = free_text;
        H5free_memory(free_text);
        return text;
    }
    std::string text(H5Aget_storage_size(data.id()), '\0');
    hdf5::checked("read", name, [&] { return H5Aread(data.id(), type.id(), text.data()); });
    std::erase(text, '\0');
    return text;
}

inline std::vector<std::int64_t> integer_attribute(const hdf5::File& file,
                                                   const std::string& object,
                                                   const std::string& name) {
    const hdf5::Attribute data = attribute(file, object, name);
    const hdf5::Space space(H5Aget_space(data.id()));
    std::vector<std::int64_t> numbers(
        static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())));
    hdf5::checked("read", name,
                  [&] { return H5Aread(data.id(), H5T_NATIVE_INT64, numbers.data()); });
    return numbers;
}

}  // namespace history_fixture
