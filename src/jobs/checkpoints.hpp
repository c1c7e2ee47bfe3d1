// When a run writes checkpoints, and the path of the last one.
#pragma once

#include "io/checkpoint/checkpoint_file.hpp"
#include "recording/schedule.hpp"
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

/// The message of a run that was stopped at `time` [s]: the time, and how to use its history. An
/// empty path: it has no history.
std::string interrupted(double time, double end, const std::filesystem::path& history,
                        const std::string& how_to_continue);

class Checkpoints {
  public:
    /// Checkpoints of the run that writes `history`. `resumed_from`: the one that it continues, if
    /// any; `options`: of the command that continues it. Throws InputError if the name of the
    /// checkpoint is too long or a file of this name is not a checkpoint.
    Checkpoints(const std::optional<scenario::Checkpoints>& wanted, const io::Output& history,
                const std::filesystem::path& resumed_from, std::string options = {});

    /// Starts a step trial at step `first`.
    void begin(const running::StepTrial& trial, std::int64_t first);

    bool due(std::int64_t step);

    /// Creates the folder again if it was removed. Throws RunError if the checkpoint cannot be
    /// written; the message names the checkpoint from which the run can be resumed.
    void write(io::HistoryStore& history, std::int64_t step,
               const std::function<void(const io::Output& place)>& write);
    const io::Output& place() const { return place_; }

    /// Closes the history. If the run is complete, removes its own checkpoint. Throws RunError if
    /// the history cannot get its final name.
    void finish(io::HistoryStore& history, bool stopped, const std::vector<std::string>& warnings) {
        try {
            history.close(warnings, stopped ? io::Run::stopped : io::Run::ended);
        } catch (const WriteError& error) {
            throw running::RunError(error.what() + how_to_continue());
        } catch (const std::runtime_error& error) {
            throw running::RunError(error.what() + (stopped ? how_to_continue() : ""));
        }
        if (!stopped) remove();
    }

    /// "; continue with: beadwave resume X.checkpoint.h5"; empty if there is no checkpoint.
    std::string how_to_continue() const;

  private:
    using Clock = std::chrono::steady_clock;

    void remove();

    io::Output history_, place_;  ///< paths of the history and of the checkpoint
    std::string options_;         ///< of the command that continues the run
    std::filesystem::path last_;  ///< the checkpoint to resume from; empty: none
    std::optional<scenario::Checkpoints> wanted_;
    running::StepTrial trial_{};
    std::optional<recording::Schedule> schedule_;
    Clock::time_point written_ = Clock::now();
};

}  // namespace beadwave::jobs
