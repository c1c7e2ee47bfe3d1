// shape_pairs COUNT [SEED]: checks the common normals of so many random pairs of ellipsoids, and of
// superellipsoids, and prints the table of docs/SHAPES.md.
#include "checked_pairs.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using beadwave::validation::PairCounts;

PairCounts checked(int pairs, bool exponents, std::uint64_t seed) {
    beadwave::validation::RandomNumbers random(seed);
    PairCounts counts;
    for (int i = 0; i < pairs; ++i)
        check_pair(counts, random, i, exponents);
    return counts;
}

double mean(double sum, int count) {
    return count > 0 ? sum / count : 0.0;
}

void print(const PairCounts& e, const PairCounts& s) {
    const auto row = [&](const char* what, auto number) {
        std::printf("| %s | %s | %s |\n", what, number(e).c_str(), number(s).c_str());
    };
    const auto text = [](auto... parts) {
        char line[100];
        std::snprintf(line, sizeof line, parts...);
        return std::string(line);
    };
    const auto whole = [&](const char* what, int PairCounts::*of) {
        row(what, [&](const PairCounts& c) { return text("%d", c.*of); });
    };
    std::puts("| | ellipsoids | superellipsoids |");
    std::puts("|---|---|---|");
    whole("pairs", &PairCounts::pairs);
    whole("no common normal found, which is said", &PairCounts::failed);
    whole("apart", &PairCounts::apart);
    whole("of these proved: two points, and a plane with their room between the bodies",
          &PairCounts::proved);
    whole("overlapping", &PairCounts::overlapping);
    whole("of these certain, as the search itself says", &PairCounts::certain);
    whole("the other algorithm is sure that they overlap", &PairCounts::touch_seen);
    whole("the overlap is within its bounds", &PairCounts::bounded);
    row("its bounds are apart by, on average [m]",
        [&](const PairCounts& c) { return text("%.1e", mean(c.widths, c.overlapping)); });
    whole("it knows a direction that overlaps less", &PairCounts::missed);
    whole("although the search was certain", &PairCounts::missed_certain);
    whole("missed from a normal 0.02 rad away", &PairCounts::missed_again);
    whole("searched from one start", &PairCounts::one_start);
    row("steps of these: mean, most", [&](const PairCounts& c) {
        return text("%.1f, %d", mean(c.steps, c.one_start), c.most_steps);
    });
    row("from a normal 0.02 rad away", [&](const PairCounts& c) {
        return text("%.1f, %d", mean(c.steps_again, c.one_again), c.most_steps_again);
    });
    row("largest miss [m]", [&](const PairCounts& c) { return text("%.1e", double(c.missed_by)); });
    row("points off the surface [-]",
        [&](const PairCounts& c) { return text("%.1e", double(c.surface)); });
}

}  // namespace

int main(int count, char** argument) {
    const int pairs = count > 1 ? std::atoi(argument[1]) : 1000;
    const std::uint64_t seed = count > 2 ? std::strtoull(argument[2], nullptr, 10) : 1;
    if (pairs < 1) {
        std::fputs("expected a number of pairs above 0\n", stderr);
        return 2;
    }
    const PairCounts ellipsoids = checked(pairs, false, seed), all = checked(pairs, true, seed + 1);
    print(ellipsoids, all);
    return ellipsoids.failed + all.failed + ellipsoids.missed_certain + all.missed_certain > 0;
}
