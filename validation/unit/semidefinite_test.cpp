#include "mechanism/semidefinite.hpp"

#include "relative.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace beadwave::validation::semidefinite_test {

TEST_CASE("equations of a semidefinite matrix of any rank and scale hold where they agree") {
    std::mt19937_64 random(3);
    std::normal_distribution<double> any;
    for (int trial = 0; trial < 50; ++trial) {
        CAPTURE(trial);
        // Rows of `rank` numbers, each of its own length; their products are a matrix of that rank.
        const std::size_t n = 1 + random() % 12, rank = random() % (n + 1);
        std::vector<std::vector<double>> rows(n, std::vector<double>(rank));
        for (auto& row : rows) {
            const double length = std::pow(10.0, any(random));
            for (double& number : row)
                number = length * any(random);
        }
        std::vector<std::vector<double>> matrix(n, std::vector<double>(n, 0.0));
        std::vector<double> numbers(n), right(n, 0.0);
        for (double& number : numbers)
            number = any(random);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                for (std::size_t k = 0; k < rank; ++k)
                    matrix[i][j] += rows[i][k] * rows[j][k];
                right[i] += matrix[i][j] * numbers[j];
            }
        }
        const mechanism::Semidefinite system(matrix, n);
        CHECK(system.rows().size() == rank);
        const std::vector<double> found = system.solve(right);
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0.0, scale = std::abs(right[i]);
            for (std::size_t j = 0; j < n; ++j) {
                sum += matrix[i][j] * found[j];
                scale = std::max(scale, std::abs(matrix[i][j] * found[j]));
            }
            // Condition numbers reach 1e6 after scaling.
            CHECK_ABSOLUTE(sum, right[i], 1e-9 * scale);
        }
        const mechanism::Semidefinite fewer(matrix, rank / 2);
        CHECK(fewer.rows().size() == rank / 2);
    }
}

TEST_CASE("a matrix of zeros has no equations that count") {
    const mechanism::Semidefinite none({{0.0, 0.0}, {0.0, 0.0}}, 2);
    CHECK(none.rows().empty());
    CHECK(none.solve({1.0, 2.0}) == std::vector<double>{0.0, 0.0});
}

}  // namespace beadwave::validation::semidefinite_test
