// Where a branch of a packing's waves is highest or lowest.
//
// From a point that is known to be high, steps along the reciprocal vectors and their diagonals
// lead to higher ones; the steps become shorter by halves. Once they are short, Newton's method
// goes the rest of the way, where the branch is smooth: with first and second derivatives from one
// set of eigenvectors. Many branches have their edges at the same points, so all frequencies of a
// point are kept.
#pragma once

#include "linear/packing_operator.hpp"
#include "modes/bloch.hpp"
#include "modes/primitive_cell.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace beadwave::modes {

using Parts = std::array<double, 3>;  ///< of a wave vector, in units of the reciprocal vectors

/// Waves by their wave vectors, each computed once while there is memory. Several threads may use
/// it; the numbers do not depend on their order.
class KnownWaves {
  public:
    /// `packing` and `cell` must outlive it.
    KnownWaves(const linear::PackingOperator& packing, const PrimitiveCell& cell);

    std::size_t axes() const { return cell_.vectors.size(); }
    packing::Vec3 wave(const Parts& parts) const;
    /// The derivative of a wave vector by its parts [rad/m].
    packing::Vec3 direction(std::size_t axis) const;

    /// bloch_frequencies() of a wave; it is the same for k, -k and k plus a reciprocal vector.
    std::shared_ptr<const std::vector<double>> frequencies(Parts parts);
    std::shared_ptr<const BlochState> state(const Parts& parts);

  private:
    const linear::PackingOperator& packing_;
    const PrimitiveCell& cell_;
    std::array<packing::Vec3, 3> reciprocal_;
    std::size_t most_frequencies_, most_states_;
    std::mutex mutex_{};
    std::map<Parts, std::shared_ptr<const std::vector<double>>> frequencies_{};
    std::map<Parts, std::shared_ptr<const BlochState>> states_{};
};

struct Extremum {
    double omega;  ///< as bloch_frequencies()
    Parts at;
};

/// The extremum of a branch near `start`, which is `step` away from the next points known.
Extremum extremum_near(KnownWaves& waves, std::size_t branch, bool upper, double step,
                       Extremum start);

}  // namespace beadwave::modes
