// The search of a design: its evaluations in order, the best of them, and where it ends.
#pragma once

#include "design/space.hpp"
#include "subjects/design/design_file.hpp"
#include "subjects/design/design_journal.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace beadwave::tasks {

/// One start of the search.
struct DesignStart {
    std::size_t first = 0, count = 0;   ///< its evaluations
    std::optional<std::size_t> best{};  ///< of these; none: the first one has no value
    std::string stopped{};              ///< as DesignResult::stopped
    std::string failure{};              ///< with "no value": why
};

class DesignSearch {
  public:
    /// The value of a point and its derivatives; none ends the search.
    using Evaluate = std::function<std::optional<Evaluation>(std::span<const double> x)>;

    /// All must outlive it.
    DesignSearch(const design::Space& space, const std::vector<design::Constraint>& constraints,
                 const io::DesignHead& head);

    /// Searches from all starts. Throws what the first evaluation throws; what a later one throws
    /// ends its start.
    void run(Evaluate evaluate);

    const std::vector<Evaluation>& evaluations() const { return evaluations_; }
    /// The evaluation with the smallest or largest value of those that meet the constraints; if
    /// none does, the one that misses them least.
    const Evaluation& best() const { return evaluations_[best_]; }
    bool feasible() const { return misses_[best_] <= near_enough; }
    const std::vector<DesignStart>& starts() const { return starts_; }
    /// The start with the best evaluation, or the last one, which was interrupted.
    const DesignStart& decisive() const;

  private:
    /// A constraint that misses its sum by at most this part counts as met.
    static constexpr double near_enough = 1e-7;

    void run_start(std::vector<double> x);
    const design::Sample* sample_at(std::span<const double> x);
    /// Evaluates a point that is not known yet; false ends the start.
    bool make(const std::vector<double>& x);
    void enter(Evaluation evaluation);
    double scale_of(const design::Constraint& constraint) const;
    double sign() const { return head_.maximise ? -1.0 : 1.0; }
    bool better(std::size_t one, std::size_t other) const;

    const design::Space& space_;
    const std::vector<design::Constraint>& constraints_;
    const io::DesignHead& head_;
    Evaluate evaluate_{};
    std::vector<Evaluation> evaluations_{};
    std::vector<double> misses_{};  ///< of the constraints, the largest
    std::map<std::vector<double>, std::size_t> known_{};
    std::vector<DesignStart> starts_{};
    std::size_t best_ = 0;
    double scale_ = 1.0;  ///< of the value
    design::Sample sample_{};
};

}  // namespace beadwave::tasks
