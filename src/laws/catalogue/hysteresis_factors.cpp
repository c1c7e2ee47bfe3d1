#include "hysteresis_factors.hpp"

namespace beadwave::laws {
namespace {

double hunt_crossley(double e) { return 3.0 * (1.0 - e) / 2.0; }
double lankarani_nikravesh(double e) { return 3.0 * (1.0 - e * e) / 4.0; }
double flores(double e) { return 8.0 * (1.0 - e) / (5.0 * e); }

}  // namespace

std::span<const HysteresisFactor> hysteresis_factors() {
    static const HysteresisFactor rows[] = {
        {.name = "hunt-crossley",
         .aliases = {"marhefka-orin"},
         .chi = hunt_crossley,
         .formula = "3 (1 - e) / 2",
         .validity = "derived for e near 1: returns 0.909 for e = 0.9, 0.663 for 0.5",
         .source = "WangReview2022 Table 1; Skrinjar2018 Table 1"},
        {.name = "lankarani-nikravesh",
         .aliases = {},
         .chi = lankarani_nikravesh,
         .formula = "3 (1 - e^2) / 4",
         .validity = "derived for e near 1: returns 0.913 for e = 0.9, 0.725 for 0.5",
         .source = "WangReview2022 Table 1; Skrinjar2018 Table 1"},
        {.name = "flores",
         .aliases = {"ye"},
         .chi = flores,
         .formula = "8 (1 - e) / (5 e)",
         .validity = "any e: returns 0.894 for e = 0.9, 0.470 for 0.5, 0.069 for 0.1",
         .source = "WangReview2022 Table 1; Skrinjar2018 Table 1"},
    };
    return rows;
}

}  // namespace beadwave::laws
