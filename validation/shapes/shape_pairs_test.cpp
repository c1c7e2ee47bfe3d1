// The short form of shape_pairs.cpp, and its algorithm on pairs whose overlap is known.
#include "checked_pairs.hpp"
#include "relative.hpp"
#include "sanitised.hpp"

namespace beadwave::validation::shape_pairs_test {
namespace {

using shapes::Vector;

TEST_CASE("a growing hull knows the overlap of two balls, and when they are apart") {
    // Their difference is a ball of both radii around the vector between the centres.
    for (const double distance : {0.0, 1e-3, 2.9e-3, 3.1e-3}) {
        DifferenceHull hull([&](const Vector& n) {
            return (3e-3 / shapes::length(n)) * n - Vector{distance, 0.0, 0.0};
        });
        const OverlapBounds bounds = hull.grown(1e-6, distance == 0.0 ? 2000 : 400);
        CAPTURE(distance);
        CHECK(bounds.above >= 3e-3 - distance - 1e-17);
        if (distance > 3e-3) {
            CHECK(bounds.above < 0.0);
            continue;
        }
        CHECK(bounds.below <= 3e-3 - distance + 1e-17);
        CHECK(bounds.above - bounds.below < (distance == 0.0 ? 1e-4 : 1.1e-6));
    }
}

TEST_CASE("common normals of random pairs are the least overlaps that another algorithm finds") {
    for (const bool exponents : {false, true}) {
        CAPTURE(exponents);
        RandomNumbers random(exponents ? 12 : 11);
        PairCounts counts;
        const int pairs = sanitised ? 200 : 2000;
        for (int i = 0; i < pairs; ++i)
            check_pair(counts, random, i, exponents);
        CHECK(counts.failed == 0);
        CHECK(counts.apart > pairs / 2);
        CHECK(counts.proved == counts.apart);
        CHECK(counts.overlapping > pairs / 10);
        CHECK(counts.bounded == counts.overlapping);
        CHECK(counts.missed == 0);
        CHECK(counts.missed_again == 0);
        CHECK(counts.most_steps < 200);
        CHECK(counts.surface < 1e-13);
    }
}

}  // namespace
}  // namespace beadwave::validation::shape_pairs_test
