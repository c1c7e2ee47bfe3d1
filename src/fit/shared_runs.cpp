#include "fit/shared_runs.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "io/durable/checksum.hpp"
#include "ranks/on_threads.hpp"

#include <bit>
#include <cstdint>
#include <exception>
#include <span>
#include <string>

namespace beadwave::fit {
namespace {

using Points = std::vector<std::vector<double>>;
using Message = std::vector<std::uint64_t>;

enum class Kind : std::uint64_t { numbers, input_error, run_error };

/// The result of one point: numbers, or the text of an error.
struct Result {
    Kind kind = Kind::numbers;
    std::vector<double> numbers{};
    std::string text{};
};

Result result_of(const std::function<std::vector<double>(const std::vector<double>&)>& work,
                 const std::vector<double>& point) {
    try {
        return {.numbers = work(point)};
    } catch (const InputError& error) {
        return {.kind = Kind::input_error, .text = error.what()};
    } catch (const running::RunError& error) {
        return {.kind = Kind::run_error, .text = error.what()};
    }
}

/// A checksum of the points' bits, by which ranks check that they have the same points.
std::uint64_t checksum_of(const Points& points) {
    std::uint64_t sum = io::checksum({});
    for (const std::vector<double>& point : points) {
        sum = io::checksum(
            {reinterpret_cast<const char*>(point.data()), point.size() * sizeof(double)}, sum);
    }
    return sum;
}

void write(const Result& result, Message& message) {
    message.push_back(static_cast<std::uint64_t>(result.kind));
    message.push_back(result.kind == Kind::numbers ? result.numbers.size() : result.text.size());
    for (const double number : result.numbers)
        message.push_back(std::bit_cast<std::uint64_t>(number));
    message.insert(message.end(), result.text.begin(), result.text.end());
}

Result read(std::span<const std::uint64_t>& message) {
    Result result{.kind = static_cast<Kind>(message[0])};
    for (const std::uint64_t one : message.subspan(2, message[1])) {
        if (result.kind == Kind::numbers) {
            result.numbers.push_back(std::bit_cast<double>(one));
        } else {
            result.text += static_cast<char>(one);
        }
    }
    message = message.subspan(2 + message[1]);
    return result;
}

}  // namespace

Points SharedRuns::results(
    const Points& points, int threads,
    const std::function<std::vector<double>(const std::vector<double>&)>& work) {
    const std::size_t count = points.size();
    Points numbers(count);
    if (ranks_ == nullptr || ranks_->alone()) {
        ranks::for_each_on_threads(count, threads,
                                   [&](std::size_t i) { numbers[i] = work(points[i]); });
        return numbers;
    }
    const auto of_all = static_cast<std::size_t>(ranks_->count());
    std::vector<std::size_t> own;
    for (auto i = static_cast<std::size_t>(ranks_->rank()); i < count; i += of_all)
        own.push_back(i);
    elsewhere_ += count - own.size();
    std::vector<Result> results(own.size());
    ranks::for_each_on_threads(
        own.size(), threads, [&](std::size_t i) { results[i] = result_of(work, points[own[i]]); });

    Message message{checksum_of(points)};
    for (const Result& result : results)
        write(result, message);
    const auto messages = ranks_->gather_numbers_to_all(std::span<const std::uint64_t>(message));
    std::vector<std::span<const std::uint64_t>> left(messages.begin(), messages.end());
    for (std::span<const std::uint64_t>& one : left) {
        if (one.front() != message.front()) {
            throw running::RunError(
                "the ranks of this fit disagree on the next values: are their processors, and the "
                "files that they read, the same?");
        }
        one = one.subspan(1);
    }
    for (std::size_t i = 0; i < count; ++i) {
        Result result = read(left[i % of_all]);
        if (result.kind == Kind::input_error) throw InputError(result.text);
        if (result.kind == Kind::run_error) throw running::RunError(result.text);
        numbers[i] = std::move(result.numbers);
    }
    return numbers;
}

}  // namespace beadwave::fit
