#include "tasks/sweep_runs.hpp"

#include "io/files/error_message.hpp"
#include "tasks/null_progress.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>
#include <map>

namespace beadwave::tasks {
namespace {

using nlohmann::json;

json message_of(const jobs::JobResult& done) {
    return {{"numbers", done.numbers}, {"warnings", done.warnings}, {"updates", done.updates}};
}

/// The number of parts of at most this size that `count` can be divided into.
std::size_t parts(std::size_t count, std::size_t size) {
    return (count + size - 1) / size;
}

}  // namespace

std::vector<std::vector<std::size_t>> batches_of(const std::vector<std::size_t>& runs,
                                                 const std::vector<CheckedRun>& checked,
                                                 int threads) {
    struct Alike {
        std::vector<std::size_t> numbers{};
        std::size_t most = 1;  ///< that run together
    };
    std::map<std::string, Alike> alike;
    std::vector<std::vector<std::size_t>> batches;
    for (const std::size_t number : runs) {
        const std::string& key = checked[number].together_key;
        if (key.empty()) {
            batches.push_back({number});
        } else {
            alike[key].numbers.push_back(number);
            alike[key].most = checked[number].most_together;
        }
    }
    std::size_t together = 0, full = 0;  // runs, and batches if all lanes are in use
    for (const auto& [key, same] : alike) {
        together += same.numbers.size();
        full += parts(same.numbers.size(), same.most);
    }
    const auto each = static_cast<std::size_t>(threads);
    for (const auto& [key, same] : alike) {
        const std::vector<std::size_t>& numbers = same.numbers;
        const std::size_t most = full < each ? parts(together, each) : same.most;
        const std::size_t count = parts(numbers.size(), most);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t from = numbers.size() * k / count,
                              to = numbers.size() * (k + 1) / count;
            const std::vector<std::size_t> part(numbers.begin() + static_cast<std::ptrdiff_t>(from),
                                                numbers.begin() + static_cast<std::ptrdiff_t>(to));
            // Half of the lanes take as long as one run after the other.
            if (part.size() > same.most / 2) {
                batches.push_back(part);
            } else {
                for (const std::size_t run : part)
                    batches.push_back({run});
            }
        }
    }
    std::ranges::sort(batches);
    return batches;
}

std::vector<recording::ArrayView> over_time_arrays(const jobs::JobResult& done) {
    return done.recording ? done.recording->arrays() : std::vector<recording::ArrayView>{};
}

std::string SweepRuns::operator()(std::span<const std::size_t> numbers) const {
    json results = json::array();
    std::vector<std::optional<jobs::JobResult>> together;
    if (numbers.size() > 1) together = make_together(numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        results.push_back(i < together.size() && together[i] ? message_of(*together[i])
                                                             : make_alone(numbers[i]));
    }
    std::string bytes;
    json::to_cbor(results, bytes);  // exact for floating-point numbers
    return bytes;
}

std::unique_ptr<jobs::Job> SweepRuns::job(std::size_t number) const {
    const std::optional<stepping::TimeStep>& step = checked_[number].step;
    return file_.variant(plan_.settings(number), step ? &*step : nullptr);
}

std::vector<std::optional<jobs::JobResult>> SweepRuns::make_together(
    std::span<const std::size_t> numbers) const try {
    NullProgress null_progress(callback_);
    std::vector<std::unique_ptr<jobs::Job>> made;
    for (const std::size_t number : numbers)
        made.push_back(job(number));
    return made.front()->run_together(made, null_progress);
} catch (const std::exception&) {
    return {};
}

json SweepRuns::make_alone(std::size_t number) const {
    if (callback_.stop()) return {};
    try {
        NullProgress null_progress(callback_);
        jobs::RunRequest request{.threads = 1};
        if (!over_time_.times().empty()) request.record = jobs::ToMemory{};
        const auto made = job(number);  // outlives its recording
        jobs::JobResult done = made->run(request, null_progress);
        if (!done.stopped.empty()) return {};
        over_time_.append(over_time_arrays(done), done.numbers);
        return message_of(done);
    } catch (const std::exception& error) {
        return {{"error", io::message_of(error)}};
    }
}

}  // namespace beadwave::tasks
