// Designs beside what a plain integration of the chain, written here, says of them: masses that
// made a trace are found again, a protecting chain is better than many random ones, and two numbers
// are those of nested golden sections. A design that was cut short continues to the same bits.

#include "subjects/design/designs.hpp"

#include "program.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::validation::designs_test {
namespace {

constexpr double modulus = 193e9, poisson = 0.3, density = 7800.0;

double mass_of(double radius) {
    return density * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

/// A chain of steel spheres that just touch, with a wall at the right end; bead 0 strikes.
struct Plain {
    std::vector<double> mass, radius;
    double speed = 1.0, step = 0.5e-6;  ///< m/s, s
    int steps = 0;

    /// Velocity Verlet under Hertz's law. Per step the force of each contact; contact c is before
    /// bead c, the last one that of the wall.
    std::vector<std::vector<double>> forces() const {
        const std::size_t n = mass.size();
        const double effective = modulus / (2.0 * (1.0 - poisson * poisson));
        std::vector<double> x(n, 0.0), v(n, 0.0), a(n, 0.0), f(n + 1, 0.0);
        v[0] = speed;
        std::vector<std::vector<double>> all;
        for (int s = 0; s < steps; ++s) {
            for (std::size_t i = 0; i < n; ++i) {
                v[i] += 0.5 * step * a[i];
                x[i] += step * v[i];
            }
            for (std::size_t c = 1; c <= n; ++c) {
                const double overlap = x[c - 1] - (c < n ? x[c] : 0.0);
                const double r =
                    c < n ? radius[c - 1] * radius[c] / (radius[c - 1] + radius[c]) : radius[c - 1];
                f[c] = overlap > 0.0
                           ? 4.0 / 3.0 * effective * std::sqrt(r) * overlap * std::sqrt(overlap)
                           : 0.0;
            }
            for (std::size_t i = 0; i < n; ++i) {
                a[i] = (f[i] - f[i + 1]) / mass[i];
                v[i] += 0.5 * step * a[i];
            }
            all.push_back(f);
        }
        return all;
    }

    /// (mean of F^8)^(1/8) of the wall [N].
    double wall_peak() const {
        double sum = 0.0;
        for (const std::vector<double>& f : forces())
            sum += std::pow(f.back(), 8);
        return std::pow(sum / steps, 1.0 / 8.0);
    }

    std::string scenario() const {
        std::string text = fmt::format(
            "[material.steel]\nyoungs_modulus = {}\npoisson_ratio = {}\n[law]\nname = "
            "\"hertz\"\n[boundary]\nright = \"wall\"\n[time]\nend = {}\nstep = {}\n",
            modulus, poisson, step * steps, step);
        for (std::size_t i = 0; i < mass.size(); ++i) {
            text += fmt::format(
                "[[segment]]\nbeads = 1\nradius = {}\nmass = {}\nmaterial = \"steel\"\n{}",
                radius[i], mass[i], i == 0 ? fmt::format("velocity = {}\n", speed) : "");
        }
        return text;
    }
};

Plain uniform(std::size_t beads, int steps) {
    const double radius = 5e-3;
    return {.mass = std::vector<double>(beads, mass_of(radius)),
            .radius = std::vector<double>(beads, radius),
            .steps = steps};
}

/// Stops after so many evaluations, as Ctrl-C does.
struct StopAfter : jobs::ProgressCallback {
    std::int64_t most = 1'000'000;
    std::int64_t done = 0;
    bool stop() override { return done >= most; }
    void progress(std::int64_t evaluations, double) override { done = evaluations; }
};

tasks::DesignResult design_in(const Folder& folder, const Plain& start, const std::string& tables,
                              const std::string& output = "", std::int64_t most = 1'000'000) {
    write_file(folder / "chain.toml", start.scenario());
    write_file(folder / "design.toml", "[design]\nscenario = \"chain.toml\"\n" + tables);
    StopAfter callback;
    callback.most = most;
    return tasks::design({.design = (folder / "design.toml").string(),
                          .output = output.empty() ? "" : (folder / output).string()},
                         callback);
}

const std::vector<double>& masses(const tasks::DesignResult& result) {
    return result.best.numbers.of(design::Kind::mass);
}
const std::vector<double>& radii(const tasks::DesignResult& result) {
    return result.best.numbers.of(design::Kind::radius);
}

/// The place of the minimum of a function with one, by golden section.
double golden(double low, double high, const std::function<double(double)>& f) {
    const double part = (std::sqrt(5.0) - 1.0) / 2.0;
    double a = high - part * (high - low), b = low + part * (high - low), fa = f(a), fb = f(b);
    while (high - low > 1e-6 * high) {
        if (fa < fb) {
            high = b;
            b = a;
            fb = fa;
            a = high - part * (high - low);
            fa = f(a);
        } else {
            low = a;
            a = b;
            fa = fb;
            b = low + part * (high - low);
            fb = f(b);
        }
    }
    return 0.5 * (low + high);
}

const std::string wall_peak_of = "[[objective]]\nkind = \"peak\"\ncontact = ";

}  // namespace

TEST_CASE("a design finds the masses that made a trace") {
    const Folder folder;
    Plain truth = uniform(10, 240);
    const double one = truth.mass[0];
    const std::vector<double> parts{1.0, 0.9, 1.1, 1.05, 0.93, 1.12, 0.95, 1.08, 0.92, 1.0};
    for (std::size_t i = 0; i < parts.size(); ++i)
        truth.mass[i] = parts[i] * one;
    std::string tables = fmt::format(
        "tolerance = 1e-9\n[[variable]]\ninput = \"mass\"\nbeads = [1, 8]\nrange = [{}, {}]\n",
        0.8 * one, 1.25 * one);
    for (const std::size_t contact : {std::size_t{3}, std::size_t{6}, std::size_t{10}}) {
        std::string csv = "time_s,force_N\n0,0\n";
        int s = 0;
        for (const std::vector<double>& f : truth.forces())
            csv += fmt::format("{},{}\n", ++s * truth.step, f[contact]);
        write_file(folder / fmt::format("contact{}.csv", contact), csv);
        tables +=
            fmt::format("[[objective]]\nkind = \"trace\"\ncontact = {}\nfile = \"contact{}.csv\"\n",
                        contact, contact);
    }
    const tasks::DesignResult result = design_in(folder, uniform(10, 240), tables);
    MESSAGE("misfit ", result.best.value, " of ", result.start.value, " in ",
            result.evaluations.size(), " evaluations, ", result.stopped);
    CHECK(result.best.value < 1e-8 * result.start.value);
    for (std::size_t i = 1; i <= 8; ++i)
        CHECK(std::fabs(masses(result)[i] / one - parts[i]) < 1e-3);
}

TEST_CASE("a protecting chain is better than its start and than 200 random ones of its mass") {
    const Folder folder;
    const std::size_t beads = 21;
    const Plain start = uniform(beads, 1000);
    Plain chain = start;
    const double low = 3e-3, high = 8e-3;
    const tasks::DesignResult result = design_in(
        folder, start,
        fmt::format("evaluations = 150\n[[variable]]\ninput = \"radius\"\nbeads = [1, 20]\nrange = "
                    "[{}, {}]\n[[constraint]]\nsum = \"mass\"\nequals = \"start\"\n",
                    low, high) +
            wall_peak_of + "21\n");
    CHECK_RELATIVE(result.start.value, start.wall_peak(), 1e-10);
    chain.mass = masses(result);
    chain.radius = radii(result);
    CHECK_RELATIVE(result.best.value, chain.wall_peak(), 1e-10);
    const double all = 21.0 * mass_of(5e-3);
    CHECK_RELATIVE(result.best.sums[0], all, 1e-9);
    for (std::size_t i = 1; i < beads; ++i) {
        CHECK(chain.radius[i] >= low);
        CHECK(chain.radius[i] <= high);
        CHECK_RELATIVE(chain.mass[i], mass_of(chain.radius[i]), 1e-12);
    }
    // Random radii, then all times one number so that the mass is right.
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> between(low, high);
    double best = start.wall_peak();
    for (int made = 0; made < 200;) {
        double sum = 0.0;
        for (std::size_t i = 1; i < beads; ++i) {
            chain.radius[i] = between(random);
            sum += mass_of(chain.radius[i]);
        }
        const double factor = std::cbrt(20.0 * mass_of(5e-3) / sum);
        bool inside = true;
        for (std::size_t i = 1; i < beads; ++i) {
            chain.radius[i] *= factor;
            chain.mass[i] = mass_of(chain.radius[i]);
            inside = inside && chain.radius[i] >= 0.9 * low && chain.radius[i] <= high;
        }
        if (!inside) continue;
        ++made;
        best = std::min(best, chain.wall_peak());
    }
    MESSAGE("start ", result.start.value, ", best of random ", best, ", design ", result.best.value,
            " in ", result.evaluations.size(), " evaluations, ", result.stopped);
    CHECK(result.best.value < 0.9 * result.start.value);
    CHECK(result.best.value < best);
}

TEST_CASE("a design of two numbers is that of nested golden sections") {
    // From a heavy striker to a light bead: the force on the wall is largest for masses between.
    const Folder folder;
    Plain start = uniform(4, 500);
    const double one = start.mass[0], low = 0.1 * one, high = 10.0 * one;
    start.mass[0] *= 4.0;
    start.mass[3] *= 0.25;
    const auto peak = [&](double first, double second) {
        Plain chain = start;
        chain.mass[1] = first;
        chain.mass[2] = second;
        return chain.wall_peak();
    };
    const auto second_of = [&](double first) {
        return golden(low, high, [&](double second) { return -peak(first, second); });
    };
    const double first = golden(low, high, [&](double m) { return -peak(m, second_of(m)); });
    const double second = second_of(first);
    CHECK(first > 1.2 * low);
    CHECK(second > 1.2 * low);
    CHECK(std::max(first, second) < 0.9 * high);
    for (const std::string method : {"slsqp", "mma"}) {
        CAPTURE(method);
        const tasks::DesignResult result = design_in(
            folder, start,
            fmt::format("maximise = true\ntolerance = 1e-10\nmethod = \"{}\"\n[[variable]]\ninput "
                        "= \"mass\"\nbeads = [1, 2]\nrange = [{}, {}]\n",
                        method, low, high) +
                wall_peak_of + "4\n");
        MESSAGE(method, ": ", result.best.value, " with ", masses(result)[1] / one, ", ",
                masses(result)[2] / one, "; golden ", peak(first, second), " with ", first / one,
                ", ", second / one, "; ", result.evaluations.size(), " evaluations, ",
                result.stopped);
        CHECK_RELATIVE(result.best.value, peak(first, second), 1e-8);
        CHECK(std::fabs(masses(result)[1] - first) < 1e-3 * (high - low));
        CHECK(std::fabs(masses(result)[2] - second) < 1e-3 * (high - low));
    }
}

TEST_CASE("a design for two impacts is that of a golden section of their weighted sum") {
    // Two strikers of different mass and speed, for which other masses between would be best.
    const Folder folder;
    Plain start = uniform(4, 500);
    const double one = start.mass[0];
    start.mass[0] *= 2.0;
    start.mass[3] *= 0.25;
    const auto peak = [&](double striker, double speed, double between) {
        Plain chain = start;
        chain.mass[0] = striker;
        chain.mass[1] = between;
        chain.speed = speed;
        return chain.wall_peak();
    };
    const auto sum = [&](double between) {
        return 2.0 * peak(2.0 * one, 1.0, between) + peak(8.0 * one, 1.5, between);
    };
    const auto tables = [&](double low, double high, const std::string& head) {
        return fmt::format(
                   "maximise = true\ntolerance = 1e-10\n{}[[variable]]\ninput = \"mass\"\nbeads = "
                   "[1, 1]\nrange = [{}, {}]\n[[run]]\nweight = 2\n[[run]]\nset = {{ "
                   "\"segment.0.mass\" = {}, segment.0.velocity = 1.5 }}\n",
                   head, low, high, 8.0 * one) +
               wall_peak_of + "4\n";
    };
    const double low = 0.4 * one, high = 3.0 * one;
    const double best = golden(low, high, [&](double m) { return -sum(m); });
    CHECK(best > 1.2 * low);
    CHECK(best < 0.9 * high);
    const double of_first = golden(low, high, [&](double m) { return -peak(2.0 * one, 1.0, m); });
    CHECK(std::fabs(best - of_first) > 0.05 * best);
    const tasks::DesignResult result = design_in(folder, start, tables(low, high, ""));
    MESSAGE("design ", masses(result)[1] / one, " with ", result.best.value, "; golden ",
            best / one, " with ", sum(best), ", for the first alone ", of_first / one, "; ",
            result.evaluations.size(), " evaluations");
    CHECK_RELATIVE(result.start.value, sum(one), 1e-10);
    CHECK_RELATIVE(result.best.value, sum(best), 1e-8);
    CHECK(std::fabs(masses(result)[1] - best) < 1e-3 * (high - low));
    REQUIRE(result.best.runs.size() == 2);
    CHECK_RELATIVE(result.best.runs[0], peak(2.0 * one, 1.0, masses(result)[1]), 1e-10);
    CHECK_RELATIVE(result.best.runs[1], peak(8.0 * one, 1.5, masses(result)[1]), 1e-10);
    // The slope by the unknown, whose range is from low to high, beside a difference.
    const double h = 1e-5 * one;
    const double difference = (sum(one + h) - sum(one - h)) / (2.0 * h) * (high - low);
    CHECK_RELATIVE(result.evaluations.front().gradient[0], difference, 1e-6);

    // From a heavy bead the search ends at another maximum, and random starts find the larger one.
    start.mass[1] = 8.0 * one;
    const double most = 10.0 * one, least = 0.1 * one;
    const tasks::DesignResult near = design_in(folder, start, tables(least, most, ""));
    CHECK(masses(near)[1] > 3.0 * one);
    const tasks::DesignResult far =
        design_in(folder, start, tables(least, most, "starts = 8\nseed = 3\n"));
    MESSAGE("one start ", near.best.value, ", eight ", far.best.value);
    REQUIRE(far.starts.size() == 8);
    CHECK(far.evaluations[*far.starts[0].best].value == near.best.value);
    double largest_of_grid = 0.0;
    for (int k = 0; k <= 200; ++k)
        largest_of_grid = std::max(largest_of_grid, sum(least + 0.005 * k * (most - least)));
    CHECK(near.best.value < 0.95 * largest_of_grid);
    CHECK(far.best.value >= largest_of_grid);
    CHECK(far.best.value < 1.01 * largest_of_grid);
    CHECK_RELATIVE(far.best.value, sum(masses(far)[1]), 1e-10);
    std::size_t all = 0;
    double largest = 0.0;
    for (const tasks::DesignStart& each : far.starts) {
        CHECK(each.first == all);
        all += each.count;
        largest = std::max(largest, far.evaluations[each.best.value()].value);
    }
    CHECK(all == far.evaluations.size());
    CHECK(largest == far.best.value);
}

TEST_CASE("the gradient of several runs is that of differences, by masses and radii") {
    const Folder folder;
    Plain start = uniform(6, 300);
    for (std::size_t i = 0; i < 6; ++i)
        start.radius[i] *= 1.0 + 0.02 * static_cast<double>(i);
    const std::vector<std::pair<double, double>> runs{{0.7, 1.0}, {2.0, -0.25}, {3.0, 1.5}};
    std::string tables =
        "evaluations = 1\n[[variable]]\ninput = \"radius\"\nbeads = [1, 5]\nrange = [4e-3, "
        "7e-3]\n";
    for (const auto& [speed, weight] : runs) {
        tables += fmt::format("[[run]]\nset = {{ \"segment.0.velocity\" = {} }}\nweight = {}\n",
                              speed, weight);
    }
    const tasks::DesignResult result = design_in(folder, start, tables + wall_peak_of + "6\n");
    const auto sum_at = [&](std::size_t bead, double radius) {
        Plain chain = start;
        chain.mass[bead] *= std::pow(radius / chain.radius[bead], 3);
        chain.radius[bead] = radius;
        double sum = 0.0;
        for (const auto& [speed, weight] : runs) {
            chain.speed = speed;
            sum += weight * chain.wall_peak();
        }
        return sum;
    };
    // The unknown of a radius with its mass is linear in the cube.
    const std::vector<double>& gradient = result.evaluations.front().gradient;
    REQUIRE(gradient.size() == 5);
    double largest = 0.0, deviation = 0.0;
    for (std::size_t i = 1; i <= 5; ++i) {
        const double r = start.radius[i], h = 1e-5 * r;
        const double by_radius = (sum_at(i, r + h) - sum_at(i, r - h)) / (2.0 * h);
        const double by_unknown =
            by_radius * (std::pow(7e-3, 3) - std::pow(4e-3, 3)) / (3.0 * r * r);
        largest = std::max(largest, std::fabs(by_unknown));
        deviation = std::max(deviation, std::fabs(by_unknown - gradient[i - 1]));
    }
    MESSAGE("deviation ", deviation / largest, " of the largest derivative");
    CHECK(deviation < 1e-6 * largest);
}

TEST_CASE("tied beads stay equal, and a maximum is a minimum of the opposite") {
    const Folder folder;
    const Plain start = uniform(6, 300);
    const double one = start.mass[0];
    const auto with = [&](const std::string& tie, const std::string& head) {
        return design_in(folder, start,
                         fmt::format("evaluations = 40\n{}[[variable]]\ninput = \"mass\"\nbeads = "
                                     "[1, 5]\nrange = [{}, {}]\n{}",
                                     head, 0.5 * one, 2.0 * one, tie) +
                             wall_peak_of + "6\n");
    };
    const tasks::DesignResult mirrored = with("symmetric = true\n", "maximise = true\n");
    CHECK(mirrored.evaluations.front().x.size() == 3);
    CHECK(mirrored.best.value > mirrored.start.value);
    CHECK(masses(mirrored)[1] == masses(mirrored)[5]);
    CHECK(masses(mirrored)[2] == masses(mirrored)[4]);
    CHECK(masses(mirrored)[1] != masses(mirrored)[2]);
    const tasks::DesignResult equal = with("equal = true\n", "");
    CHECK(equal.evaluations.front().x.size() == 1);
    CHECK(equal.best.value < equal.start.value);
    for (std::size_t i = 2; i <= 5; ++i)
        CHECK(masses(equal)[i] == masses(equal)[1]);
}

TEST_CASE("a design from available sizes has the value of the nearest ones") {
    const Folder folder;
    Plain chain = uniform(6, 300);
    const std::vector<double> sizes{4e-3, 4.5e-3, 5e-3, 5.5e-3, 6e-3};
    const std::string tables =
        "evaluations = 40\n[[variable]]\ninput = \"radius\"\nbeads = [1, 5]\nrange = [4e-3, "
        "6e-3]\n";
    const tasks::DesignResult any = design_in(folder, chain, tables + wall_peak_of + "6\n");
    const tasks::DesignResult result = design_in(
        folder, chain,
        tables + "available = [4e-3, 6e-3, 4.5e-3, 5e-3, 5.5e-3]\n" + wall_peak_of + "6\n");
    REQUIRE(result.relaxed);
    CHECK_RELATIVE(result.relaxed->value, any.best.value, 1e-6);
    CHECK(!any.relaxed);
    for (std::size_t i = 1; i <= 5; ++i) {
        const double wanted = radii(any)[i];
        const double nearest = *std::ranges::min_element(
            sizes, {}, [&](double size) { return std::fabs(size - wanted); });
        CHECK(radii(result)[i] == nearest);
    }
    chain.radius = radii(result);
    for (std::size_t i = 1; i <= 5; ++i)
        chain.mass[i] = mass_of(chain.radius[i]);
    CHECK_RELATIVE(result.best.value, chain.wall_peak(), 1e-10);
}

TEST_CASE("a design that was cut short continues to the same bits") {
    const Plain start = uniform(6, 300);
    const std::string tables =
        "evaluations = 8\nstarts = 3\n[[run]]\n[[run]]\nset = { segment.0.velocity = 2.0 }\n"
        "[[variable]]\ninput = \"radius\"\nbeads = [1, 5]\nrange = [3e-3, "
        "8e-3]\n[[constraint]]\nsum = \"mass\"\nequals = \"start\"\n" +
        wall_peak_of + "6\n";
    const Folder whole_folder;
    const tasks::DesignResult whole = design_in(whole_folder, start, tables, "d.h5");
    CHECK(!std::filesystem::exists(whole_folder / "d.h5.rows"));
    REQUIRE(whole.evaluations.size() > 12);
    for (const std::uintmax_t lost : {0, 1, 77}) {  // bytes of the journal
        CAPTURE(lost);
        const Folder folder;
        const tasks::DesignResult part = design_in(folder, start, tables, "d.h5", 12);
        CHECK(part.stopped == "interrupted");
        CHECK(part.evaluations.size() == 12);
        CHECK(std::filesystem::exists(folder / "d.best.toml"));
        const auto journal = folder / "d.h5.rows";
        std::filesystem::resize_file(journal, std::filesystem::file_size(journal) - lost);
        const tasks::DesignResult rest = design_in(folder, start, tables, "d.h5");
        CHECK(rest.resumed == (lost == 0 ? 12 : 11));
        REQUIRE(rest.evaluations.size() == whole.evaluations.size());
        for (std::size_t k = 0; k < whole.evaluations.size(); ++k) {
            CHECK(rest.evaluations[k].x == whole.evaluations[k].x);
            CHECK(rest.evaluations[k].value == whole.evaluations[k].value);
            CHECK(rest.evaluations[k].gradient == whole.evaluations[k].gradient);
            CHECK(rest.evaluations[k].runs == whole.evaluations[k].runs);
        }
        CHECK(read_file(folder / "d.best.toml") == read_file(whole_folder / "d.best.toml"));
        CHECK(!std::filesystem::exists(journal));
    }
}

}  // namespace beadwave::validation::designs_test
