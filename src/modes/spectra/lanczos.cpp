// The only file that uses Spectra: a module of its own, loaded on demand.

#include "modes/lowest_modes.hpp"

#include <Eigen/Dense>
#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <cmath>

namespace {

using beadwave::modes::spectra_module::Problem;

class Operator {
  public:
    using Scalar = double;
    explicit Operator(const Problem& problem) : problem_(problem) {}
    Eigen::Index rows() const { return static_cast<Eigen::Index>(problem_.size); }
    Eigen::Index cols() const { return rows(); }
    void perform_op(const double* x, double* y) const { problem_.filtered(x, y); }

  private:
    const Problem& problem_;
};

}  // namespace

extern "C" const char* beadwave_lanczos(Problem* problem) {
    const auto n = static_cast<Eigen::Index>(problem->size),
               count = static_cast<Eigen::Index>(problem->count);
    Operator filtered(*problem);
    Spectra::SymEigsSolver<Operator> solver(filtered, count,
                                            static_cast<Eigen::Index>(problem->subspace));
    solver.init();
    solver.compute(Spectra::SortRule::LargestAlge, problem->most_restarts, problem->tolerance);
    problem->converged = solver.info() == Spectra::CompInfo::Successful;
    Eigen::MatrixXd basis = solver.eigenvectors();
    if (basis.cols() == 0) return "no mode converged";
    // The modes are those of the operator itself within this basis.
    Eigen::MatrixXd image(n, basis.cols());
    for (Eigen::Index k = 0; k < basis.cols(); ++k)
        problem->plain(basis.col(k).data(), image.col(k).data());
    const Eigen::MatrixXd small = basis.transpose() * image;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> dense(0.5 * (small + small.transpose()));
    basis = basis * dense.eigenvectors();
    image = image * dense.eigenvectors();
    for (Eigen::Index k = 0; k < basis.cols(); ++k) {
        const double value = dense.eigenvalues()[k];
        problem->values.push_back(value);
        problem->residuals.push_back((image.col(k) - value * basis.col(k)).norm());
        problem->vectors.insert(problem->vectors.end(), basis.col(k).data(),
                                basis.col(k).data() + n);
    }
    return nullptr;
}
