// Gradients by the reverse sweep: those of the discrete map that were computed in 50 digits without
// this program, and for every law the derivatives of the tangent engine, which carries dual numbers
// forwards.

#include "subjects/gradients/gradients.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "dynamics/tiled_engine.hpp"
#include "gradients/adjoint_run.hpp"
#include "gradients/gradient.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "scenarios.hpp"
#include "subjects/chain/chain_reader.hpp"
#include "subjects/gradients/objective_file.hpp"
#include "tangent/tangent_engine.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace beadwave::validation::gradients_test {
namespace {

using gradients::Channel;
using gradients::MotionNumbers;
using gradients::Readings;

const std::string tables = BEADWAVE_SOURCE_DIR "/validation/physics/gradients/";

const std::array<std::string, 4> objectives{
    "kind = \"peak\"\ncontact = 8\nsmoothing = 8\n", "kind = \"impulse\"\ncontact = 5\n",
    "kind = \"energy\"\nbeads = [6, 9]\ntime = [110e-6, 150e-6]\n",
    "kind = \"trace\"\nsensor = 6\nquantity = \"velocity\"\nfile = \"" + tables + "target.csv\"\n"};

struct Row {
    std::string parameter;
    double value;
    std::array<double, 4> derivative;
};

std::vector<Row> rows_of(const std::string& law) {
    std::vector<Row> rows;
    std::istringstream text(read_file(tables + "discrete_" + law + ".csv"));
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with('#') || line.starts_with("parameter")) continue;
        std::istringstream cells(line);
        Row row;
        std::getline(cells, row.parameter, ',');
        std::string cell;
        std::getline(cells, cell, ',');
        row.value = std::stod(cell);
        for (double& d : row.derivative) {
            std::getline(cells, cell, ',');
            d = std::stod(cell);
        }
        rows.push_back(row);
    }
    return rows;
}

/// "modulus_3" of a gradient.
double derivative(const gradients::Gradient& gradient, const std::string& parameter) {
    std::string name = parameter;
    std::size_t index = 0;
    if (const auto bar = name.rfind('_'); bar != std::string::npos && name != "impact_speed") {
        index = std::stoul(name.substr(bar + 1));
        name = name.substr(0, bar);
    }
    if (name == "modulus") name = "youngs_modulus";
    for (std::size_t k = 0; k < gradient.inputs.size(); ++k) {
        if (gradient.inputs[k].name == name) return gradient.by_input[k].at(index);
    }
    FAIL("no input " << name);
    return 0.0;
}

std::vector<std::string> settings_of(const std::string& law) {
    if (law == "hertz") return {};
    return {"law.name=\"" + law + "\"", "law.restitution=0.85", "law.impact_speed=1.0"};
}

std::string text_of(const laws::Value& value) {
    if (const double* number = std::get_if<double>(&value)) return fmt::format("{:.17e}", *number);
    return '"' + std::get<std::string>(value) + '"';
}

/// Five beads; contacts close, open and close again, and a wall is struck.
constexpr const char* five_beads = R"(
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
yield_stress = 900e6
bulk_viscosity = 1e3
shear_viscosity = 1e3
[material.brass]
youngs_modulus = 103e9
poisson_ratio = 0.34
yield_stress = 300e6
bulk_viscosity = 1e3
shear_viscosity = 1e3
[[segment]]
beads = 1
radius = 2.38e-3
mass = 0.45e-3
material = "steel"
velocity = 1.77
[[segment]]
beads = 3
radius = 2.1e-3
mass = 0.33e-3
material = "brass"
gap = 3.1e-7
velocity = 0.013
[[segment]]
beads = 1
radius = 2.7e-3
mass = 0.53e-3
material = "steel"
gap = 1.7e-7
velocity = -0.021
[boundary]
right = { kind = "wall", material = "brass", gap = 2.3e-7 }
[time]
end = 1e-4
step = 2.5e-7
)";

/// Random numbers in [-1, 1), the same each time.
struct Dice {
    std::uint64_t state = 20;
    double operator()() {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(state >> 11) * 0x1p-52 - 1.0;
    }
};

/// A change of all numbers of a chain, each by up to itself.
dynamics::ChainNumbers random_change(const chain::Chain& chain, Dice& dice) {
    dynamics::ChainNumbers change(chain);
    for (std::vector<double>& column : change.law) {
        for (double& x : column)
            x = std::isfinite(x) ? x * dice() : 0.0;
    }
    for (double& x : change.gap)
        x = std::isfinite(x) ? 1e-6 * dice() : 0.0;
    for (double& x : change.mass)
        x *= dice();
    for (double& x : change.velocity)
        x = dice();
    change.left.clear();
    change.right.clear();
    return change;
}

double product(const MotionNumbers& bars, const dynamics::ChainNumbers& change) {
    double sum = 0.0;
    const auto add = [&](const std::vector<double>& a, const std::vector<double>& b) {
        REQUIRE(a.size() == b.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            sum += a[i] * b[i];
    };
    for (std::size_t k = 0; k < bars.law.size(); ++k)
        add(bars.law[k], change.law[k]);
    add(bars.gap, change.gap);
    add(bars.mass, change.mass);
    add(bars.velocity, change.velocity);
    return sum;
}

}  // namespace

TEST_CASE("gradients of the discrete map equal those computed in 50 digits") {
    // Twelve beads, sixty-two numbers, four objectives; 1e-12 of the largest derivative times its
    // number is rounding of 200 steps.
    const Folder folder;
    for (const std::string law : {"hertz", "hunt-crossley"}) {
        CAPTURE(law);
        const std::vector<Row> rows = rows_of(law);
        for (std::size_t k = 0; k < objectives.size(); ++k) {
            CAPTURE(k);
            write_file(folder / "objective.toml", "[[objective]]\n" + objectives[k]);
            const auto result = tasks::gradient_of(
                {.scenario = tables + "chain.toml",
                 .objective = (folder / "objective.toml").string(),
                 .inputs = std::string("mass,radius,youngs_modulus,gap,velocity") +
                           (law == "hertz" ? "" : ",law.restitution,impact_speed"),
                 .overrides = settings_of(law)});
            double scale = 0.0;
            for (const Row& row : rows)
                scale = std::max(scale, std::fabs(row.value * row.derivative[k]));
            for (const Row& row : rows) {
                CAPTURE(row.parameter);
                if (row.parameter == "value") {
                    CHECK_RELATIVE(result.gradient.value, row.derivative[k], 1e-13);
                    continue;
                }
                CHECK_ABSOLUTE(derivative(result.gradient, row.parameter) * row.value,
                               row.derivative[k] * row.value, 1e-12 * scale);
            }
        }
    }
}

TEST_CASE("for every law the reverse sweep has the derivatives of the dual numbers forwards") {
    const Folder folder;
    write_file(folder / "chain.toml", five_beads);
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.make || entry.family == "adhesion") continue;
        for (const bool per_contact : {false, true}) {
            std::vector<std::string> settings{"law.name=\"" + entry.name + "\""};
            bool remembers = false;
            for (const auto& [name, value] : law_settings(entry.name).values) {
                const auto found =
                    std::ranges::find(entry.parameters, name, &laws::Parameter::name);
                const bool own = name == "impact_speed" && per_contact &&
                                 found->accepts(std::string_view("per-contact"));
                remembers = remembers || own;
                const laws::Value number = name == "stiffness" && entry.name != "power-law" ? value
                                           : name == "stiffness" ? laws::Value(5e9)
                                                                 : value;
                settings.push_back("law." + name + "=" +
                                   (own ? "\"per-contact\"" : text_of(number)));
            }
            if (per_contact && !remembers) continue;
            CAPTURE(entry.name);
            CAPTURE(per_contact);
            const chain::Scenario scenario =
                io::read_scenario(folder / "chain.toml", settings).scenario;
            const chain::Chain chain = running::build_chain(scenario);
            const double dt = *scenario.time.step;
            constexpr std::int64_t steps = 400;
            std::vector<Channel> channels;
            for (std::size_t bead = 0; bead < chain.beads(); ++bead)
                channels.push_back({Channel::Kind::sensor_force, bead});
            gradients::AdjointRun run(chain, MotionNumbers(chain), dt, steps, channels, {});
            run.forward(true);
            // Any weights, the same for both.
            Dice dice;
            Readings seeds(channels.size(), std::vector<double>(steps + 1));
            for (std::vector<double>& column : seeds) {
                for (double& x : column)
                    x = dice();
            }
            const MotionNumbers bars = run.reverse(seeds);
            std::vector<dynamics::ChainNumbers> changes{random_change(chain, dice),
                                                        random_change(chain, dice)};
            if (entry.name == "tabulated") {  // its number names a table
                for (dynamics::ChainNumbers& change : changes)
                    std::ranges::fill(change.law.front(), 0.0);
            }
            dynamics::TangentEngine tangent(chain, dt, changes);
            std::array<double, 2> forwards{}, size{};
            double largest = 0.0, error = 0.0;
            for (std::int64_t s = 0; s <= steps; ++s) {
                if (s > 0) tangent.advance(1);
                for (std::size_t k = 0; k < channels.size(); ++k) {
                    double force = 0.0;
                    std::array<double, 2> along{};
                    tangent.read(k, force, along);
                    const auto at = static_cast<std::size_t>(s);
                    largest = std::max(largest, std::fabs(force));
                    error = std::max(error, std::fabs(force - run.readings()[k][at]));
                    for (std::size_t d = 0; d < 2; ++d) {
                        forwards[d] += seeds[k][at] * along[d];
                        size[d] += std::fabs(seeds[k][at] * along[d]);
                    }
                }
            }
            CHECK_ABSOLUTE(error / largest, 0.0, 1e-10);
            // A table takes differences itself, of another length than the tangent engine's.
            const double tolerance = entry.name == "tabulated" ? 1e-4 : 1e-10;
            for (std::size_t d = 0; d < 2; ++d)
                CHECK_ABSOLUTE(product(bars, changes[d]) / size[d], forwards[d] / size[d],
                               tolerance);
        }
    }
}

TEST_CASE("the motion is that of the engine that runs, and gradients repeat to the bit") {
    const chain::Scenario scenario =
        io::read_scenario(tables + "chain.toml", settings_of("hunt-crossley")).scenario;
    const chain::Chain chain = running::build_chain(scenario);
    std::vector<Channel> channels;
    for (std::size_t bead = 0; bead < chain.beads(); ++bead)
        channels.push_back({Channel::Kind::sensor_force, bead});
    gradients::AdjointRun run(chain, MotionNumbers(chain), 1e-6, 200, channels, {});
    run.forward(true);
    const auto engine = dynamics::make_tiled_engine(chain, 1e-6, 1);
    dynamics::SensorTrace trace;
    for (std::size_t bead = 0; bead < chain.beads(); ++bead)
        trace.beads.push_back(bead);
    engine->advance(200, trace);
    for (std::size_t s = 1; s <= 200; ++s) {
        for (std::size_t k = 0; k < channels.size(); ++k) {
            CHECK_ABSOLUTE(run.readings()[k][s], trace.force[(s - 1) * channels.size() + k],
                           1e-10 * 1000.0);
        }
    }
    const Readings seeds(channels.size(), std::vector<double>(201, 1.0));
    const MotionNumbers once = run.reverse(seeds);
    run.forward(true);
    const MotionNumbers again = run.reverse(seeds);
    CHECK(once.mass == again.mass);
    CHECK(once.gap == again.gap);
    CHECK(once.velocity == again.velocity);
    CHECK(once.law == again.law);
    CHECK(run.states() <= 32);  // 2 sqrt(200)
}

TEST_CASE("kinds of objectives that the tables do not have equal differences of runs") {
    const Folder folder;
    write_file(folder / "chain.toml", five_beads);
    const auto check = [&](const std::string& text, const std::string& law) {
        CAPTURE(text);
        CAPTURE(law);
        write_file(folder / "objective.toml", text);
        std::vector<std::string> settings{"law.name=\"" + law + "\""};
        if (law == "hunt-crossley") settings.emplace_back("law.restitution=0.8");
        const auto result = tasks::gradient_of({.scenario = (folder / "chain.toml").string(),
                                                .objective = (folder / "objective.toml").string(),
                                                .inputs = "mass,radius,youngs_modulus,gap,velocity",
                                                .overrides = settings,
                                                .check = true});
        REQUIRE(result.gradient.check);
        CHECK(result.gradient.check->numbers == 4 * 5 + 5);
        CHECK(result.gradient.check->largest_deviation < 1e-6);
    };
    for (const std::string law : {"hertz", "ma-liu", "hunt-crossley"}) {
        check("[[objective]]\nkind = \"spectrum\"\nsensor = 3\nfrequency = 2.1e4\n", law);
        check("[[objective]]\nkind = \"arrival\"\nsensor = 2\n", law);
        check(
            "[[objective]]\nkind = \"energy\"\nbeads = [0, 4]\nweight = 3\n[[objective]]\n"
            "kind = \"peak\"\nsensor = 4\nquantity = \"velocity\"\nweight = -0.1\n",
            law);
    }
}

}  // namespace beadwave::validation::gradients_test
