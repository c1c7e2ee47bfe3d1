#include "fit/noise_groups.hpp"

#include "fit/qr.hpp"

#include <cmath>

namespace beadwave::fit {

NoiseGroups noise_groups(const Residuals& all) {
    const std::size_t p = all.columns.size(), each = all.values.size() / 2;
    const QrFactors qr = qr_factorise(all.columns, all.values);
    const std::vector<double> inverse = inverse_normal_matrix(qr.r, p);
    NoiseGroups groups;
    groups.arrival_share.assign(p, 0.0);
    groups.freedom.fill(static_cast<double>(each));
    std::array<double, 2> squares{};
    for (std::size_t i = 0; i < all.values.size(); ++i) {
        squares[i % 2] += all.values[i] * all.values[i];
        for (std::size_t j = 0; j < p; ++j) {
            double moved = 0.0;  // parameter j per residual i
            for (std::size_t k = 0; k < p; ++k)
                moved += inverse[j * p + k] * all.columns[k][i];
            groups.freedom[i % 2] -= all.columns[j][i] * moved;
            if (i % 2 == 1) groups.arrival_share[j] += moved * moved / inverse[j * p + j];
        }
    }
    for (std::size_t g = 0; g < 2; ++g)
        groups.mean_square[g] = squares[g] / groups.freedom[g];
    return groups;
}

Spread spread_of(double arrival_share, const std::array<double, 2>& freedom) {
    const double peaks = 1.0 - arrival_share;
    return {1.0 / (peaks / freedom[0] + arrival_share / freedom[1]),
            std::sqrt(1.0 + 4.0 * peaks * arrival_share * (1.0 / freedom[0] + 1.0 / freedom[1]))};
}

}  // namespace beadwave::fit
