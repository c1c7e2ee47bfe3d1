#include "fit/shared_runs.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/running/simulation.hpp"
#include "io/files/checksum.hpp"
#include "jobs/on_threads.hpp"

#include <bit>
#include <cstdint>
#include <exception>
#include <span>
#include <string>

namespace beadwave::fit {
namespace {

using Points = std::vector<std::vector<double>>;
using Letter = std::vector<std::uint64_t>;

enum class Came : std::uint64_t { numbers, input_error, run_error };

/// What came of one point: numbers, or the words of an error.
struct Result {
    Came came = Came::numbers;
    std::vector<double> numbers{};
    std::string words{};
};

Result result_of(const std::function<std::vector<double>(const std::vector<double>&)>& work,
                 const std::vector<double>& point) {
    try {
        return {.numbers = work(point)};
    } catch (const InputError& error) {
        return {.came = Came::input_error, .words = error.what()};
    } catch (const running::RunError& error) {
        return {.came = Came::run_error, .words = error.what()};
    }
}

/// Of the points' bits, by which ranks see that they are in step.
std::uint64_t sum_of(const Points& points) {
    std::uint64_t sum = io::checksum({});
    for (const std::vector<double>& point : points) {
        sum = io::checksum(
            {reinterpret_cast<const char*>(point.data()), point.size() * sizeof(double)}, sum);
    }
    return sum;
}

void write(const Result& result, Letter& letter) {
    letter.push_back(static_cast<std::uint64_t>(result.came));
    letter.push_back(result.came == Came::numbers ? result.numbers.size() : result.words.size());
    for (const double number : result.numbers)
        letter.push_back(std::bit_cast<std::uint64_t>(number));
    letter.insert(letter.end(), result.words.begin(), result.words.end());
}

Result read(std::span<const std::uint64_t>& letter) {
    Result result{.came = static_cast<Came>(letter[0])};
    for (const std::uint64_t one : letter.subspan(2, letter[1])) {
        if (result.came == Came::numbers) {
            result.numbers.push_back(std::bit_cast<double>(one));
        } else {
            result.words += static_cast<char>(one);
        }
    }
    letter = letter.subspan(2 + letter[1]);
    return result;
}

}  // namespace

Points SharedRuns::results(
    const Points& points, int threads,
    const std::function<std::vector<double>(const std::vector<double>&)>& work) {
    const std::size_t count = points.size();
    Points numbers(count);
    if (ranks_ == nullptr || ranks_->alone()) {
        jobs::for_each_on_threads(count, threads,
                                  [&](std::size_t i) { numbers[i] = work(points[i]); });
        return numbers;
    }
    const auto of_all = static_cast<std::size_t>(ranks_->count());
    std::vector<std::size_t> own;
    for (auto i = static_cast<std::size_t>(ranks_->rank()); i < count; i += of_all)
        own.push_back(i);
    elsewhere_ += count - own.size();
    std::vector<Result> results(own.size());
    jobs::for_each_on_threads(own.size(), threads,
                              [&](std::size_t i) { results[i] = result_of(work, points[own[i]]); });

    Letter letter{sum_of(points)};
    for (const Result& result : results)
        write(result, letter);
    const auto letters = ranks_->gather_numbers_to_all(std::span<const std::uint64_t>(letter));
    std::vector<std::span<const std::uint64_t>> left(letters.begin(), letters.end());
    for (std::span<const std::uint64_t>& one : left) {
        if (one.front() != letter.front()) {
            throw running::RunError(
                "the ranks of this fit disagree on what to try next: are their processors, and the "
                "files that they read, the same?");
        }
        one = one.subspan(1);
    }
    for (std::size_t i = 0; i < count; ++i) {
        Result result = read(left[i % of_all]);
        if (result.came == Came::input_error) throw InputError(result.words);
        if (result.came == Came::run_error) throw running::RunError(result.words);
        numbers[i] = std::move(result.numbers);
    }
    return numbers;
}

}  // namespace beadwave::fit
