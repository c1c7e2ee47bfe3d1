// What laws require, and what they take from the bodies.

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "chain/build_chain.hpp"
#include "io/scenario/case_reader.hpp"
#include "program.hpp"
#include "relative.hpp"
#include "scenarios.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace beadwave::validation::law_needs_test {

namespace {

using Given = std::map<std::string, laws::Value>;

/// The standard settings of an entry, and all variants in which parameters have their other values.
std::vector<laws::Settings> variants(const laws::Entry& entry) {
    std::vector<laws::Settings> all{law_settings(entry.name)};
    for (const laws::Parameter& p : entry.parameters) {
        if (p.name == "impact_speed") continue;
        std::vector<laws::Value> others;
        for (const std::string_view word : p.words)
            others.emplace_back(std::string(word));
        if (p.number_allowed && !p.is_file && !p.words.empty()) others.emplace_back(1e-3);
        if (p.name == "restitution" || p.name == "exponent") others.emplace_back(1.0);
        const std::size_t before = all.size();
        for (const laws::Value& value : others) {
            for (std::size_t i = 0; i < before; ++i) {
                all.push_back(all[i]);
                all.back().values.insert_or_assign(std::string(p.name), value);
            }
        }
    }
    return all;
}

/// The error message for three beads at rest, where nothing approaches; empty if there is none.
std::string standing_column(laws::Settings law) {
    law.values.insert_or_assign("impact_speed", std::string("initial"));
    try {
        chain::build_chain(steel_chain(3, 0.0, law, 1e-5));
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

laws::Contact pair_of(double nu_1, double yield_1, double nu_2, double yield_2) {
    const laws::Elasticity a{
        .youngs_modulus = 2e11, .poisson_ratio = nu_1, .yield_stress = yield_1};
    const laws::Elasticity b{
        .youngs_modulus = 1e11, .poisson_ratio = nu_2, .yield_stress = yield_2};
    return laws::sphere_contact(2e-3, 1e-3, a, 3e-3, 2e-3, b);
}

// ---- classes that do not satisfy ContactLaw, and one that does ----

struct ForgottenNumber {
    template <class U>
    using Rebind = ForgottenNumber;
    using Memory = laws::NoMemory;
    static constexpr bool conservative = true;
    double stiffness, exponent;
    static constexpr auto fields() { return std::make_tuple(&ForgottenNumber::stiffness); }
    laws::Response<double, Memory> respond(double, double, Memory m) const { return {0.0, m}; }
    double stored_energy(double, Memory) const { return 0.0; }
    bool ends_in_tension() const { return false; }
};

struct NumberTwice : ForgottenNumber {
    static constexpr auto fields() {
        return std::make_tuple(&ForgottenNumber::stiffness, &ForgottenNumber::stiffness);
    }
};

struct AllNumbers : ForgottenNumber {
    static constexpr auto fields() {
        return std::make_tuple(&ForgottenNumber::stiffness, &ForgottenNumber::exponent);
    }
};

struct ForgetfulMemory : AllNumbers {
    struct Memory {
        double largest, residual;
        static constexpr auto fields() { return std::make_tuple(&Memory::largest); }
    };
    laws::Response<double, Memory> respond(double, double, Memory m) const { return {0.0, m}; }
    double stored_energy(double, Memory) const { return 0.0; }
};

static_assert(laws::ContactLaw<AllNumbers>);
static_assert(!laws::ContactLaw<ForgottenNumber>);
static_assert(!laws::ContactLaw<NumberTwice>);
static_assert(!laws::ContactLaw<ForgetfulMemory>);

}  // namespace

TEST_CASE("a law requires an impact speed only if its numbers depend on it") {
    int needless = 0, needed = 0;
    for (const laws::Entry& entry : laws::catalogue()) {
        if (!entry.refused.empty()) continue;
        if (!law_settings(entry.name).values.contains("impact_speed")) continue;
        CAPTURE(entry.name);
        for (laws::Settings& settings : variants(entry)) {
            if (settings.is("impact_speed", "per-contact")) continue;
            const auto at = [&](double speed) {
                settings.values.insert_or_assign("impact_speed", speed);
                return laws::make(pair_of(0.3, 9e8, 0.3, 9e8), settings);
            };
            bool depends = false;
            try {
                depends = at(0.03) != at(3.0);
            } catch (const ArgumentError&) {
                continue;  // these values cannot be combined
            }
            std::string words;
            for (const auto& [name, value] : settings.values) {
                const auto* word = std::get_if<std::string>(&value);
                words += name + " = " + (word ? *word : std::to_string(std::get<0>(value))) + "; ";
            }
            CAPTURE(words);
            const std::string refusal = standing_column(settings);
            CHECK((refusal.find("law.impact_speed") != std::string::npos) == depends);
            CHECK(refusal.empty() == !depends);
            ++(depends ? needed : needless);
        }
    }
    MESSAGE(needed, " settings need an impact speed, ", needless, " do not");
    CHECK(needed > 30);
    CHECK(needless > 30);
}

TEST_CASE("kelvin-voigt on a given stiffness runs where nothing approaches at the start") {
    CHECK(standing_column(law_settings("kelvin-voigt", {{"stiffness", 1e7}, {"restitution", 0.6}}))
              .empty());
    CHECK(standing_column(law_settings("kelvin-voigt", {{"restitution", 0.6}}))
              .starts_with("test: law.impact_speed: missing, and nothing approaches"));
}

TEST_CASE("a contact has the mean Poisson ratio of its bodies, and that of the softer one") {
    CHECK_RELATIVE(*pair_of(0.2, 0.0, 0.4, 0.0).poisson_ratio, 0.3, 1e-15);
    CHECK(*pair_of(0.2, 9e8, 0.4, 3e8).yielding_poisson_ratio == 0.4);
    CHECK(*pair_of(0.2, 3e8, 0.4, 9e8).yielding_poisson_ratio == 0.2);
    CHECK(*pair_of(0.2, 0.0, 0.4, 9e8).yielding_poisson_ratio == 0.4);
    CHECK(*pair_of(0.2, 9e8, 0.4, 0.0).yielding_poisson_ratio == 0.2);
    CHECK_RELATIVE(*pair_of(0.2, 9e8, 0.4, 9e8).yielding_poisson_ratio, 0.3, 1e-15);
    const laws::Elasticity ball{.youngs_modulus = 2e11, .poisson_ratio = 0.2, .yield_stress = 9e8};
    const laws::Elasticity socket{
        .youngs_modulus = 2e11, .poisson_ratio = 0.4, .yield_stress = 3e8};
    const auto contact = laws::socket_contact(2e-3, 1e-3, ball, 3e-3, 1.0, socket);
    CHECK_RELATIVE(*contact.poisson_ratio, 0.3, 1e-15);
    CHECK(*contact.yielding_poisson_ratio == 0.4);
}

TEST_CASE("laws with a Poisson ratio use that of the bodies, unless one is given") {
    int tried = 0;
    for (const laws::Entry& entry : laws::catalogue()) {
        const auto parameter =
            std::ranges::find(entry.parameters, "poisson_ratio", &laws::Parameter::name);
        if (parameter == entry.parameters.end()) continue;
        ++tried;
        CAPTURE(entry.name);
        const bool yields = entry.needs_yield_stress;
        laws::Contact bodies = pair_of(0.2, 9e8, 0.4, 3e8);
        bodies.bodies.reset();  // roy-carretero takes Young's moduli of two bodies, and no ratio
        const auto own = laws::make(bodies, law_settings(entry.name));
        const auto given = [&](const laws::Contact& contact, double nu) {
            return laws::make(contact, law_settings(entry.name, {{"poisson_ratio", nu}}));
        };
        CHECK(own ==
              given(bodies, yields ? *bodies.yielding_poisson_ratio : *bodies.poisson_ratio));
        CHECK(own != given(bodies, 0.1));
        // If the ratio is given, those of the bodies have no effect.
        laws::Contact others = bodies;
        others.poisson_ratio = others.yielding_poisson_ratio = 0.05;
        CHECK(given(others, 0.25) == given(bodies, 0.25));
        // A contact without bodies.
        laws::Contact bare = bodies;
        bare.poisson_ratio = bare.yielding_poisson_ratio = std::nullopt;
        CHECK(laws::make(bare, law_settings(entry.name)) == given(bare, 0.3));
        CHECK(parameter->meaning.find("0.3 where none are described") != std::string_view::npos);
        // The law's fit does not cover negative ratios.
        laws::Contact auxetic = bodies;
        auxetic.poisson_ratio = auxetic.yielding_poisson_ratio = -0.2;
        CHECK_THROWS_AS(laws::make(auxetic, law_settings(entry.name)), ArgumentError);
        CHECK_NOTHROW(given(auxetic, 0.2));
    }
    CHECK(tried == 6);
}

TEST_CASE("a collision case without bodies warns which Poisson ratio is assumed") {
    const std::string contact =
        "speed = 1\n[contact]\nstiffness = 1e9\neffective_mass = 0.1\neffective_radius = 0.01\n";
    const std::string law =
        "[law]\nname = \"zheng\"\nbulk_viscosity = 1e4\nshear_viscosity = 1e4\n";
    const auto assumed = io::read_case_text(contact + law, "case.toml");
    REQUIRE(assumed.warnings.size() == 1);
    CHECK(assumed.warnings.front() ==
          "[contact] has no bodies: law.poisson_ratio is assumed to be 0.3");
    CHECK(
        io::read_case_text(contact + law + "poisson_ratio = 0.2\n", "case.toml").warnings.empty());
}

TEST_CASE("a word that consists of digits needs no quotes") {
    const std::string text =
        "speed = 1\n[contact]\nstiffness = 1e9\neffective_mass = 0.1\neffective_radius = 0.01\n"
        "[law]\nname = \"brilliantov\"\nbulk_viscosity = 1e4\nshear_viscosity = 1e4\nform = ";
    const auto form = [&](const std::string& written) {
        return io::read_case_text(text + written + "\n", "case.toml").law.word("form");
    };
    CHECK(form("1996") == "1996");
    CHECK(form("\"1996\"") == "1996");
    CHECK(form("2015") == "2015");
    for (const char* wrong : {"1997", "1996.0", "\"1997\"", "true"})
        CHECK_THROWS_AS(form(wrong), InputError);

    const Folder folder;
    write_file(folder / "case.toml", text + "\"2015\"\n");
    const std::vector<std::string> set{"law.form=1996"};
    CHECK(io::read_case(folder / "case.toml", set).law.word("form") == "1996");
}

}  // namespace beadwave::validation::law_needs_test
