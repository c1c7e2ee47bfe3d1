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

class DesignSearch {
  public:
    /// The value of a point and its derivatives; none ends the search.
    using Evaluate = std::function<std::optional<Evaluation>(std::span<const double> x)>;

    /// All must outlive it.
    DesignSearch(const design::Space& space, const std::vector<design::Constraint>& constraints,
                 const io::DesignHead& head);

    /// From the start on. Throws what the first evaluation throws; what a later one throws ends the
    /// search.
    void run(Evaluate evaluate);

    const std::vector<Evaluation>& evaluations() const { return evaluations_; }
    /// Of those that meet the constraints the smallest or largest value; of none, the one that
    /// misses them least.
    const Evaluation& best() const { return evaluations_[best_]; }
    bool feasible() const { return misses_[best_] <= near_enough; }
    /// As DesignResult::stopped; with "no value", failure() says why.
    const std::string& stopped() const { return stopped_; }
    const std::string& failure() const { return failure_; }

  private:
    /// Relative to the sum: what counts as met.
    static constexpr double near_enough = 1e-7;

    const design::Sample* sample_at(std::span<const double> x);
    /// Of a point that is not known yet; false ends the search.
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
    std::size_t best_ = 0;
    double scale_ = 1.0;  ///< of the value
    design::Sample sample_{};
    std::string stopped_{}, failure_{};
};

}  // namespace beadwave::tasks
