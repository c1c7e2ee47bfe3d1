#include "subjects/design/design_search.hpp"

#include "base/random_numbers.hpp"
#include "io/files/error_message.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace beadwave::tasks {
namespace {

/// Number `number` of the random numbers of a seed, from 0 to 1.
double random_part(std::uint64_t seed, std::uint64_t number) {
    return static_cast<double>(random_bits(seed, number) >> 11U) * 0x1p-53;
}

}  // namespace

DesignSearch::DesignSearch(const design::Space& space,
                           const std::vector<design::Constraint>& constraints,
                           const io::DesignHead& head)
    : space_(space), constraints_(constraints), head_(head) {}

double DesignSearch::scale_of(const design::Constraint& constraint) const {
    if (constraint.sum != 0.0) return std::fabs(constraint.sum);
    double largest = 0.0;
    for (std::size_t i = constraint.first; i <= constraint.last; ++i)
        largest += std::fabs(space_.start().of(constraint.kind)[i]);
    return largest > 0.0 ? largest : 1.0;
}

bool DesignSearch::better(std::size_t one, std::size_t other) const {
    const bool meets = misses_[one] <= near_enough, other_meets = misses_[other] <= near_enough;
    if (meets != other_meets) return meets;
    if (!meets) return misses_[one] < misses_[other];
    return sign() * evaluations_[one].value < sign() * evaluations_[other].value;
}

void DesignSearch::enter(Evaluation evaluation) {
    const std::size_t index = evaluations_.size();
    double miss = 0.0;
    if (!constraints_.empty()) {
        const design::Numbers numbers = space_.at(evaluation.x);
        for (const design::Constraint& each : constraints_) {
            miss = std::max(
                miss, std::fabs(design::Space::sum(each, numbers) - each.sum) / scale_of(each));
        }
    }
    known_.emplace(evaluation.x, index);
    evaluations_.push_back(std::move(evaluation));
    misses_.push_back(miss);
    if (index > 0 && better(index, best_)) best_ = index;
    ++starts_.back().count;
}

bool DesignSearch::make(const std::vector<double>& x) {
    DesignStart& own = starts_.back();
    if (!own.stopped.empty()) return false;
    if (own.count >= static_cast<std::size_t>(head_.evaluations)) {
        own.stopped = "evaluations";
        return false;
    }
    std::optional<Evaluation> evaluation;
    try {
        evaluation = evaluate_(x);
    } catch (const std::exception& error) {
        if (evaluations_.empty()) throw;
        own.stopped = "no value";
        own.failure = io::message_of(error);
        return false;
    }
    if (!evaluation) {
        own.stopped = "interrupted";
        return false;
    }
    enter(*std::move(evaluation));
    return true;
}

const design::Sample* DesignSearch::sample_at(std::span<const double> x) {
    std::vector<double> inside(x.begin(), x.end());
    for (double& each : inside)
        each = std::clamp(each, 0.0, 1.0);
    auto known = known_.find(inside);
    if (known == known_.end()) {
        if (!make(inside)) return nullptr;
        known = known_.find(inside);
    }
    std::optional<std::size_t>& own_best = starts_.back().best;
    if (!own_best || better(known->second, *own_best)) own_best = known->second;
    const Evaluation& evaluation = evaluations_[known->second];
    sample_.value = sign() * scale_ * evaluation.value;
    sample_.gradient = evaluation.gradient;
    for (double& slope : sample_.gradient)
        slope *= sign() * scale_;
    sample_.equations.clear();
    sample_.equation_gradients.clear();
    if (constraints_.empty()) return &sample_;
    const design::Numbers numbers = space_.at(inside);
    for (const design::Constraint& each : constraints_) {
        const double scale = scale_of(each);
        sample_.equations.push_back((design::Space::sum(each, numbers) - each.sum) / scale);
        sample_.equation_gradients.push_back(space_.sum_gradient(each, numbers));
        for (double& slope : sample_.equation_gradients.back())
            slope /= scale;
    }
    return &sample_;
}

void DesignSearch::run_start(std::vector<double> x) {
    starts_.push_back({.first = evaluations_.size()});
    design::Problem problem{
        .method = head_.method,
        .start = std::move(x),
        .equations = constraints_.size(),
        .tolerance = head_.tolerance,
        .evaluate = [this](std::span<const double> at) { return sample_at(at); }};
    if (sample_at(problem.start) == nullptr) return;
    // A search may end early, with a poor model of the curvature: another one begins at the best
    // point, until one gains nothing.
    const auto best = [this]() -> const Evaluation& { return evaluations_[*starts_.back().best]; };
    const auto met = [this] { return misses_[*starts_.back().best] <= near_enough; };
    const double first = std::fabs(best().value);
    for (;;) {
        double size = 0.0;
        for (const double slope : best().gradient)
            size += slope * slope;
        if (!(size > 0.0)) break;  // flat
        constexpr double first_step = 0.3;
        scale_ = first_step / std::sqrt(size);
        const double before = best().value;
        const bool met_before = met();
        problem.start = best().x;
        design::search(problem);
        if (!starts_.back().stopped.empty()) return;
        const double gain = sign() * (before - best().value);
        const double worth = std::max(std::fabs(best().value), 1e-6 * first);
        if (met_before == met() && gain <= head_.tolerance * worth) break;
    }
    starts_.back().stopped = "converged";
}

void DesignSearch::run(Evaluate evaluate) {
    evaluate_ = std::move(evaluate);
    run_start(space_.start_point());
    std::uint64_t drawn = 0;
    while (starts_.size() < head_.starts && starts_.back().stopped != "interrupted") {
        std::vector<double> x(space_.size());
        for (double& each : x)
            each = random_part(head_.seed, drawn++);
        run_start(std::move(x));
    }
}

const DesignStart& DesignSearch::decisive() const {
    if (starts_.back().stopped == "interrupted") return starts_.back();
    // A later start may have come to the same point.
    return *std::ranges::find_if(starts_, [this](const DesignStart& each) {
        return each.best && !better(best_, *each.best) && !better(*each.best, best_);
    });
}

}  // namespace beadwave::tasks
