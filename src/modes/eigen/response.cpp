// Sparse decompositions by Eigen, in the module that is loaded on demand.

#include "modes/sparse_response.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseLU>

#include <vector>

extern "C" bool beadwave_response(const beadwave::modes::eigen_module::Response* problem) {
    using beadwave::modes::Complex;
    using Matrix = Eigen::SparseMatrix<Complex>;
    const auto n = static_cast<Eigen::Index>(problem->mass.size());
    const double omega = problem->omega;
    std::vector<Eigen::Triplet<Complex>> entries;
    entries.reserve(problem->row.size() + problem->mass.size());
    for (std::size_t e = 0; e < problem->row.size(); ++e) {
        entries.emplace_back(static_cast<int>(problem->row[e]),
                             static_cast<int>(problem->column[e]),
                             Complex(problem->stiffness[e], omega * problem->damping[e]));
    }
    for (int i = 0; i < static_cast<int>(n); ++i)
        entries.emplace_back(i, i, -omega * omega * problem->mass[static_cast<std::size_t>(i)]);
    Matrix matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    matrix.makeCompressed();
    Eigen::SparseLU<Matrix, Eigen::AMDOrdering<int>> solver;
    solver.isSymmetric(true);  // its pattern; pivots are still chosen by size
    solver.setPivotThreshold(0.1);
    solver.compute(matrix);
    if (solver.info() != Eigen::Success) return false;
    Eigen::Map<Eigen::VectorXcd> motion(problem->motion, n);
    const Eigen::VectorXcd solved = solver.solve(motion);
    motion = solved;
    return true;
}
