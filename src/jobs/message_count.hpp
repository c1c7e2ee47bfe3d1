// The messages of a run that several processes share, for its summary.
#pragma once

#include "ranks/communicator.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace beadwave::jobs {

/// Threads of this process by default. 0: all that there are. The ranks on one machine share its
/// processors, unless some are assigned to each of them.
int threads_per_rank(const ranks::Communicator* ranks);

/// The longest time that a rank computed over the mean of all, from the parts of their time that
/// they sent or waited.
double load_imbalance(std::span<const double> message_shares);

struct Messages {
    int ranks;
    double halo_bytes, halo_messages;           ///< sent by all ranks to others
    double other_bytes;                         ///< of a rank, mean: for sums and lists
    double mean_share = 0.0, most_share = 0.0;  ///< of their time that ranks sent or waited
    double load_imbalance = 1.0;

    /// The entries of the summary; `body`: "bead".
    nlohmann::ordered_json entries(const std::string& body, std::size_t bodies,
                                   std::int64_t steps) const;
};

/// Time and bytes of the messages of a run, from now on.
class MessageCount {
  public:
    /// Null: a single process, which has no messages.
    explicit MessageCount(ranks::Communicator* ranks);

    /// All ranks call this together.
    std::optional<Messages> so_far() const;

  private:
    using Clock = std::chrono::steady_clock;

    ranks::Communicator* ranks_;
    ranks::Traffic before_;
    Clock::time_point began_ = Clock::now();
};

}  // namespace beadwave::jobs
