// Observables that the caller computes: a function of a sample becomes a channel of the recording,
// in any system.
#pragma once

#include "recording/store.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace beadwave::jobs {

/// The system at a sample: everything that can be recorded of it, by name.
class Moment {
  public:
    explicit Moment(recording::Description description) : all_(std::move(description)) {}

    std::int64_t step = 0;
    double time = 0.0;  ///< [s]
    bool live = false;  ///< during a sample; at other times nothing may be filled

    /// Names in memory: "velocity", "kinetic_energy", "sensor_force".
    std::vector<std::string> names() const;
    /// Null: there is no such channel.
    const recording::Channel* find(const std::string& name) const;
    const recording::Description& description() const { return all_; }

  private:
    /// The channels that fill.
    std::vector<const recording::Channel*> readable() const;

    recording::Description all_;
};

struct OwnObservable {
    std::string name;     ///< in memory, and of the group observables/NAME
    std::string unit;     ///< H5MD's spelling: "m s-1"; "1": none
    std::string meaning;  ///< attribute `description` in the history
    recording::Pace pace = recording::Pace::energy;
    std::vector<std::size_t> shape{};  ///< of one value; {}: a number
    /// Writes the value. Called in the thread of the run; what it throws ends the run.
    std::function<void(const std::shared_ptr<Moment>&, std::span<double> out)> value{};
};

/// A store that hands samples on, with the observables' values.
class ObservingStore : public recording::Store {
  public:
    /// `all`: what is recorded of the system without the observables; its fills are called during
    /// samples. Throws InputError for a name that is taken or a pace that this run does not have.
    ObservingStore(const recording::Description& all,
                   const std::vector<OwnObservable>& observables);

    /// The description with the observables.
    recording::Description described() const;
    void hand_to(recording::Store& store) { store_ = &store; }

    void sample(recording::Pace pace, std::int64_t step, double time) override;
    bool samples(recording::Pace pace, std::span<const std::int64_t> steps,
                 std::span<const double> times) override {
        return store_->samples(pace, steps, times);
    }
    void append_rows(std::size_t table) override { store_->append_rows(table); }

  private:
    std::shared_ptr<Moment> moment_;
    std::vector<OwnObservable> observables_;
    recording::Store* store_ = nullptr;
};

}  // namespace beadwave::jobs
