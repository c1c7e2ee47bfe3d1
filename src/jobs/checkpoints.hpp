// When a run's checkpoints are written, and where the last one stands.
#pragma once

#include "io/checkpoint/checkpoint_file.hpp"
#include "observers/schedule.hpp"
#include "scenario/common.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace beadwave::jobs {

/// "; continue with: beadwave resume X.checkpoint.h5"
std::string continue_with(const std::filesystem::path& checkpoint);

/// What a run that was stopped at `time` [s] says: where, and what can be done with its history;
/// an empty path: it has none.
std::string interrupted(double time, double end, const std::filesystem::path& history,
                        const std::string& how_to_continue);

class Checkpoints {
  public:
    /// Of the run whose history is `history`. `goes_on_from`: the checkpoint that is continued, if
    /// any. Throws InputError if the checkpoint's name is too long or what stands there is none.
    Checkpoints(const std::optional<scenario::Checkpoints>& wanted, const io::Output& history,
                const std::filesystem::path& goes_on_from);

    /// From step `first` of an attempt on.
    void begin(const running::Attempt& attempt, std::int64_t first);

    bool due(std::int64_t step);

    /// Makes the folder again if it is gone. Throws RunError when it cannot be written; it says
    /// what the run can go on from.
    void write(io::HistoryFile& history, const chain::Chain& chain, dynamics::Engine& engine,
               const std::vector<double>& observers);
    void write(io::PackingHistory& history, const packing::Packing& packing,
               const packing::PackingEngine& engine, const std::vector<double>& observers);
    /// What several ranks write together: write(place).
    void write_with(io::GrowingHistory& history, std::int64_t step,
                    const std::function<void(const io::Output& place)>& write);
    const io::Output& place() const { return place_; }
    /// Of a model whose whole state is numbers.
    void write(io::GrowingHistory& history, const std::string& model, std::int64_t step,
               const std::vector<double>& numbers);

    /// Runs `action`, which writes a history. Where that fails, throws RunError, which says what
    /// the run can go on from.
    template <typename Action>
    auto guarded(const Action& action) const {
        try {
            return action();
        } catch (const WriteError& error) {
            throw running::RunError(error.what() + how_to_continue());
        }
    }

    /// Closes the history; removes the checkpoint beside it, if it is this run's and the run was
    /// not stopped. Throws RunError if the history cannot get its name.
    void finish(io::GrowingHistory& history, bool stopped, const std::vector<std::string>& notes) {
        try {
            guarded([&] { history.close(notes, stopped ? io::Run::stopped : io::Run::ended); });
        } catch (const running::RunError&) {
            throw;
        } catch (const std::runtime_error& error) {
            throw running::RunError(error.what() + (stopped ? how_to_continue() : ""));
        }
        if (!stopped) remove();
    }

    /// "; continue with: beadwave resume X.checkpoint.h5"; nothing if there is no checkpoint.
    std::string how_to_continue() const;

  private:
    using Clock = std::chrono::steady_clock;

    void remove();

    template <typename Write>
    void write_to_place(io::GrowingHistory& history, std::int64_t step, const Write& write);

    io::Output history_, place_;  ///< of the history, of the checkpoint
    std::filesystem::path last_;  ///< the checkpoint to go on from; empty: none
    std::optional<scenario::Checkpoints> wanted_;
    running::Attempt attempt_{};
    std::optional<observers::Schedule> schedule_;
    Clock::time_point written_ = Clock::now();
};

}  // namespace beadwave::jobs
