// The comparison of the tests itself: what must fail with it fails.

#include "largest.hpp"

#include "packings.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace beadwave::validation::largest_test {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
using packing::Vec3;

/// Whether a test that compares with any bound would fail.
bool fails(double largest) {
    return !(largest < std::numeric_limits<double>::infinity()) && !(largest <= 0.0) &&
           !(largest > 0.0) && !(largest == 0.0);
}

}  // namespace

TEST_CASE("the largest of several numbers is the largest, whatever their order") {
    const std::vector<double> up{-3.0, 0.0, 2.0}, down{2.0, 0.0, -3.0};
    for (const std::vector<double>& values : {up, down}) {
        Largest largest;
        for (const double value : values)
            largest.enter(value);
        CHECK(largest == 2.0);
        CHECK(largest_size(values) == 3.0);
    }
    Largest negative;
    negative.enter(-5.0, -4.0, -6.0);
    CHECK(negative == -4.0);
    CHECK(largest_difference(up, down) == 5.0);
    CHECK(largest_difference(up, up) == 0.0);
}

TEST_CASE("a comparison fails on NaN wherever it stands, on nothing and on different lengths") {
    CHECK(fails(Largest{}));
    CHECK(fails(largest_size({})));
    CHECK(fails(largest_difference(std::vector<double>{}, std::vector<double>{})));
    for (std::size_t at = 0; at < 4; ++at) {
        CAPTURE(at);
        std::vector<double> planted{1.0, 5.0, 2.0, 3.0};
        const std::vector<double> sound = planted;
        planted[at] = not_a_number;
        Largest largest;
        for (const double value : planted)
            largest.enter(value);
        CHECK(fails(largest));
        CHECK(fails(largest_size(planted)));
        CHECK(fails(largest_difference(planted, sound)));
        CHECK(fails(largest_difference(sound, planted)));
        CHECK(fails(largest_difference(planted, planted)));
    }
    CHECK(fails(largest_difference(std::vector{1.0, 2.0}, std::vector{1.0})));
    CHECK(fails(largest_difference(std::vector{1.0}, std::vector{1.0, 2.0})));
    CHECK(fails(largest_difference(std::vector{1.0}, std::vector<double>{})));
}

TEST_CASE("a comparison of vectors fails on NaN, on nothing and on different lengths") {
    const std::vector<Vec3> sound{{1, 2, 2}, {0, 3, 4}};
    CHECK(largest_difference(sound, sound) == 0.0);
    const std::vector<Vec3> other{{1, 2, 2}, {0, 3, 5}}, one{{1, 0, 0}}, zero(1);
    CHECK(largest_difference(other, sound) == 0.2);  // 1 of 5
    CHECK(largest_difference(one, zero) == 1.0);
    CHECK(fails(largest_difference(std::vector<Vec3>{}, std::vector<Vec3>{})));
    CHECK(fails(largest_difference(one, sound)));
    CHECK(fails(largest_difference(sound, one)));
    for (std::size_t at = 0; at < 2; ++at) {
        std::vector<Vec3> planted = sound;
        planted[at].z = not_a_number;
        CHECK(fails(largest_difference(planted, sound)));
        CHECK(fails(largest_difference(sound, planted)));
    }
}

}  // namespace beadwave::validation::largest_test
