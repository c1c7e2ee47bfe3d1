#include "jobs/message_count.hpp"

#include <nlohmann/json.hpp>
#include <omp.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

namespace beadwave::jobs {

int threads_per_rank(const ranks::Communicator* ranks) {
    if (ranks == nullptr) return 0;
    const int processors = static_cast<int>(std::thread::hardware_concurrency());
    return std::clamp(processors / ranks->on_this_node(), 1, omp_get_max_threads());
}

double load_imbalance(std::span<const double> message_shares) {
    double sum = 0.0, most = 0.0;
    for (const double share : message_shares) {
        sum += 1.0 - share;
        most = std::max(most, 1.0 - share);
    }
    return sum > 0.0 ? most * static_cast<double>(message_shares.size()) / sum : 1.0;
}

MessageCount::MessageCount(ranks::Communicator* ranks) : ranks_(ranks) {
    if (ranks_ != nullptr) before_ = ranks_->traffic();
}

std::optional<Messages> MessageCount::so_far() const {
    if (ranks_ == nullptr) return std::nullopt;
    const ranks::Traffic now = ranks_->traffic();
    const std::chrono::duration<double> all = Clock::now() - began_;
    const double share = (now.seconds - before_.seconds) / all.count();
    std::int64_t sent[] = {now.halo_bytes - before_.halo_bytes,
                           now.halo_messages - before_.halo_messages,
                           now.other_bytes - before_.other_bytes};
    ranks_->sum(sent);
    const double count = ranks_->count();
    Messages messages{.ranks = ranks_->count(),
                      .halo_bytes = static_cast<double>(sent[0]),
                      .halo_messages = static_cast<double>(sent[1]),
                      .other_bytes = static_cast<double>(sent[2]) / count};
    std::vector<double> shares;
    for (const auto& theirs : ranks_->gather_numbers_to_all<double>({&share, 1}))
        shares.push_back(theirs.front());
    messages.mean_share = std::reduce(shares.begin(), shares.end()) / count;
    messages.most_share = std::ranges::max(shares);
    messages.load_imbalance = load_imbalance(shares);
    return messages;
}

nlohmann::ordered_json Messages::entries(const std::string& body, std::size_t bodies,
                                         std::int64_t steps) const {
    const auto done = static_cast<double>(std::max<std::int64_t>(steps, 1));
    const double per_rank_step = 1.0 / (ranks * done);
    return {{"processes", ranks},
            {"halo_bytes_per_" + body + "_step", halo_bytes / (static_cast<double>(bodies) * done)},
            {"halo_bytes_per_process_step", halo_bytes * per_rank_step},
            {"halo_messages_per_process_step", halo_messages * per_rank_step},
            {"other_bytes_per_process_step", other_bytes / done},
            {"message_share_of_time", mean_share},
            {"largest_message_share_of_time", most_share},
            {"load_imbalance", load_imbalance}};
}

}  // namespace beadwave::jobs
