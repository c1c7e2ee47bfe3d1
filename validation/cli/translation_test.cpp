// `beadwave laws NAME --for PROGRAM`: the formulas of the other programs, written down again here
// and integrated plainly with the numbers that are printed, against the restitution that is
// printed.

#include "plain_rebound.hpp"
#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>

namespace beadwave::validation::translation_test {
namespace {

using nlohmann::json;
using std::numbers::pi;

constexpr double radius = 1.25e-3;  // effective, of the two steel spheres [m]

json translated(const Folder& folder, const std::string& rest) {
    const Said said = shell(folder, "beadwave laws " + rest + " --json");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    return json::parse(said.out);
}

std::map<std::string, double> keys_of(const json& model) {
    std::map<std::string, double> keys;
    for (const json& key : model.at("parameters"))
        keys[key.at("key")] = key.at("value");
    return keys;
}

json model_of(const json& found, const std::string& name) {
    if (found.at("model") == name) return found;
    for (const json& model : found.at("other_models"))
        if (model.at("model") == name) return model;
    FAIL("there is no model " << name);
    return {};
}

/// Force [N] over overlap [m], approach speed [m/s] and effective mass [kg].
using Force = std::function<double(double, double, double)>;

/// The printed restitution at the slowest, a middle and the fastest speed of each mass. The plain
/// method has about 20,000 steps in a contact. Its error is that of the end of contact, which lies
/// in a step: 1e-4 of the duration where the force is cut, far less elsewhere.
void check_restitution(const json& model, const Force& force, bool pulls) {
    CAPTURE(model.at("model").get<std::string>());
    const json& rows = model.at("restitution");
    for (std::size_t i = 0; i < rows.size(); i += 3) {
        const double speed = rows[i].at("speed"), mass = rows[i].at("mass");
        CAPTURE(speed);
        CAPTURE(mass);
        const double duration = rows[i].at("duration");
        const PlainRebound plain =
            plain_rebound([&](double x, double v) { return force(x, v, mass) / mass; }, speed,
                          duration / 20000.0, pulls);
        CHECK(std::abs(plain.restitution - rows[i].at("program").get<double>()) < 1e-5);
        CHECK_RELATIVE(plain.duration, duration, 2e-4);
    }
}

double hertz(double youngs_modulus, double poisson_ratio) {
    const double modulus = youngs_modulus / (2.0 * (1.0 - poisson_ratio * poisson_ratio));
    return 4.0 / 3.0 * modulus * std::sqrt(radius);
}

/// LIGGGHTS's, YADE's and Chrono's Hertz contact, as their sources write it.
Force antypov(double youngs_modulus, double poisson_ratio, double e) {
    const double modulus = youngs_modulus / (2.0 * (1.0 - poisson_ratio * poisson_ratio));
    const double beta = std::log(e) / std::sqrt(std::log(e) * std::log(e) + pi * pi);
    return [=](double x, double v, double m) {
        const double root = std::sqrt(radius * x), sn = 2.0 * modulus * root;
        return 4.0 / 3.0 * modulus * root * x -
               2.0 * std::sqrt(5.0 / 6.0) * beta * std::sqrt(sn * m) * v;
    };
}

/// MuJoCo's acceleration of a constraint, times the mass.
Force constraint(const std::map<std::string, double>& keys) {
    const double time = keys.at("solref[0]"), ratio = keys.at("solref[1]");
    const double d = keys.at("solimp[0]");
    const double b = 2.0 / (d * time), k = d / (d * d * time * time * ratio * ratio);
    return [=](double x, double v, double m) { return m * d * (b * v + k * x); };
}

/// Drake's point contact. Both bodies have the printed stiffness: half of it acts.
Force compliant_point(const std::map<std::string, double>& keys) {
    const double k = keys.at("point_contact_stiffness") / 2.0;
    const double c = keys.at("hunt_crossley_dissipation");
    return [=](double x, double v, double) { return k * x * (1.0 + c * v); };
}

/// Simbody's force.
Force hunt_crossley(const std::map<std::string, double>& keys) {
    const double k = 4.0 / 3.0 * std::pow(keys.at("stiffness") / 2.0, 1.5) * std::sqrt(radius);
    const double c = keys.at("dissipation");
    return [=](double x, double v, double) { return k * std::pow(x, 1.5) * (1.0 + 1.5 * c * v); };
}

}  // namespace

TEST_CASE("for mujoco: its model of a constraint, integrated plainly, returns what is printed") {
    const Folder folder;
    const json model = translated(folder, "tsuji --for mujoco --set law.restitution=0.7");
    const std::map<std::string, double> keys = keys_of(model);
    const double ratio = keys.at("solref[1]");
    CHECK(keys.at("solimp[1]") == keys.at("solimp[0]"));
    check_restitution(model, constraint(keys), false);
    // Closed form: an oscillator whose force is cut at 0 parts at exp(-zeta/q (2 atan(q/zeta))),
    // with q = sqrt(1 - zeta^2).
    const double q = std::sqrt(1.0 - ratio * ratio);
    const double closed = std::exp(-ratio / q * 2.0 * std::atan2(q, ratio));
    CHECK(std::abs(closed - model.at("restitution")[0].at("program").get<double>()) < 1e-8);
    CHECK(std::abs(closed - 0.7) < 1e-6);  // which is what the law has at every speed
    CHECK(model.at("cannot").get<std::string>().find("durations") != std::string::npos);
}

TEST_CASE("for drake: point and hydroelastic contact, integrated plainly, return what is printed") {
    const Folder folder;
    const json found = translated(folder, "kuwabara-kono --for drake --speeds 0.1:2");
    const json point = model_of(found, "point contact");
    check_restitution(point, compliant_point(keys_of(point)), false);

    // A sphere on a flat. The pressure modulus (1 - r/R) is summed over rings of the disc.
    const std::string flat =
        "--set 'body.b={flat=true, fixed=true, youngs_modulus=2.1e11, poisson_ratio=0.3}'";
    const json other = translated(folder, "kuwabara-kono --for drake --speeds 0.1:2 " + flat);
    const json hydro = model_of(other, "hydroelastic contact");
    const std::map<std::string, double> its = keys_of(hydro);
    const double modulus = its.at("hydroelastic_modulus"), sphere = 2.5e-3;
    const double damping = its.at("hunt_crossley_dissipation");
    const auto rings = [&](double x, double v, double) {
        const double height = sphere - x, edge = std::sqrt(x * (2.0 * sphere - x));
        double sum = 0.0;
        constexpr int count = 60;
        for (int i = 0; i < count; ++i) {
            const double r = edge * (i + 0.5) / count;
            const double pressure = modulus * (1.0 - std::sqrt(height * height + r * r) / sphere);
            sum += pressure * (1.0 + damping * v) * 2.0 * pi * r * edge / count;
        }
        return sum;
    };
    const json& row = hydro.at("restitution")[3];
    const double mass = row.at("mass"), speed = row.at("speed"), duration = row.at("duration");
    const PlainRebound plain =
        plain_rebound([&](double x, double v) { return rings(x, v, mass) / mass; }, speed,
                      duration / 2000.0, false);
    // Rings: 1/(4 count^2) of the force, a tenth of that of the duration.
    CHECK(std::abs(plain.restitution - row.at("program").get<double>()) < 1e-4);
    CHECK_RELATIVE(plain.duration, duration, 1e-3);
}

TEST_CASE(
    "for simbody: Hunt and Crossley's force, integrated plainly, and a law that is the same") {
    const Folder folder;
    // F = K d^1.5 (1 + (3/2)(1 - e) v/V) with one impact speed V is Simbody's with c = (1 - e)/V.
    const json model = translated(folder,
                                  "hunt-crossley --for simbody --set law.restitution=0.8 --set "
                                  "law.impact_speed=2.0 --speeds 0.2:5");
    std::map<std::string, double> keys = keys_of(model);
    CHECK_RELATIVE(keys.at("dissipation"), 0.1, 1e-6);
    CHECK(model.at("largest_error").get<double>() < 1e-7);
    CHECK(model.at("cannot") == "");
    const double k = 4.0 / 3.0 * std::pow(keys.at("stiffness") / 2.0, 1.5) * std::sqrt(radius);
    CHECK_RELATIVE(k, hertz(2.1e11, 0.3), 1e-12);
    check_restitution(model, hunt_crossley(keys), false);
    // With the speed of each impact the law returns the same at every speed, and Simbody does not.
    const json other = translated(folder, "hunt-crossley --for simbody --set law.restitution=0.8");
    CHECK(other.at("largest_error").get<double>() > 0.01);
    CHECK(other.at("cannot").get<std::string>().find("the law returns") != std::string::npos);
}

TEST_CASE("for lammps: each damping, integrated plainly, and a restitution it takes as it is") {
    const Folder folder;
    const json found = translated(folder, "tsuji --for lammps --set law.restitution=0.8");
    CHECK(found.at("model") == "granular hertz, damping coeff_restitution");
    CHECK(found.at("largest_error").get<double>() < 1e-6);
    CHECK(found.at("cannot") == "");
    std::map<std::string, double> keys = keys_of(found);
    CHECK(std::abs(keys.at("e") - 0.8) < 1e-6);
    CHECK_RELATIVE(keys.at("kn") * std::sqrt(radius), hertz(2.1e11, 0.3), 1e-12);
    const double k = hertz(2.1e11, 0.3), kn = keys.at("kn"), e = keys.at("e");
    const double logarithm = std::log(e);
    const double eta = -std::sqrt(1.5) * 2.0 * std::sqrt(5.0 / 6.0) * logarithm /
                       std::sqrt(pi * pi + logarithm * logarithm);
    check_restitution(
        found,
        [&](double x, double v, double m) {
            const double a = std::sqrt(radius * x), f = kn * a * x;
            return f + eta * (x > 0.0 ? std::sqrt(m * f / x) : 0.0) * v;
        },
        true);
    const auto damping = [&](const char* name, const char* key) {
        return keys_of(model_of(found, name)).at(key);
    };
    const char* name = "gran/hertz/history";
    double c = damping(name, "gamma_n");
    check_restitution(
        model_of(found, name),
        [&](double x, double v, double m) { return std::sqrt(x * radius) * (kn * x + m * c * v); },
        true);
    name = "granular hertz, damping mass_velocity";
    c = damping(name, "eta_n0");
    check_restitution(
        model_of(found, name),
        [&](double x, double v, double m) { return k * std::pow(x, 1.5) + m * c * v; }, true);
    name = "granular hertz, damping velocity";
    c = damping(name, "eta_n0");
    check_restitution(
        model_of(found, name),
        [&](double x, double v, double) { return k * std::pow(x, 1.5) + c * v; }, true);
    name = "granular hertz, damping tsuji";
    c = damping(name, "e");
    const double polynomial = 1.2728 - 4.2783 * c + 11.087 * c * c - 22.348 * std::pow(c, 3) +
                              27.467 * std::pow(c, 4) - 18.022 * std::pow(c, 5) +
                              4.8218 * std::pow(c, 6);
    check_restitution(
        model_of(found, name),
        [&](double x, double v, double m) {
            return k * std::pow(x, 1.5) +
                   std::sqrt(2.0) * polynomial * std::sqrt(m * k * std::sqrt(x)) * v;
        },
        true);
}

TEST_CASE("for liggghts, yade and chrono: a force that may pull returns e, one that is cut more") {
    const Folder folder;
    json found = translated(folder, "tsuji --for liggghts --set law.restitution=0.6");
    CHECK(found.at("model") == "model hertz");
    std::map<std::string, double> keys = keys_of(found);
    CHECK(std::abs(keys.at("coefficientRestitution") - 0.6) < 1e-6);
    CHECK_RELATIVE(keys.at("youngsModulus"), 2.1e11, 1e-12);
    CHECK(keys.at("poissonsRatio") == 0.3);
    check_restitution(found, antypov(2.1e11, 0.3, keys.at("coefficientRestitution")), true);

    found = translated(folder, "tsuji --for yade --set law.restitution=0.6");
    const json en = model_of(found, "Law2_ScGeom_MindlinPhys_Mindlin, en, earlier");
    keys = keys_of(en);
    CHECK(keys.at("en") < 0.59);  // en = 0.6 returns more, because YADE cuts the force
    CHECK(en.at("largest_error").get<double>() < 1e-6);
    check_restitution(en, antypov(keys.at("young"), 0.3, keys.at("en")), false);
    // The later one undoes that, to the error of its polynomial.
    CHECK(std::abs(keys_of(found).at("en") - 0.6) < 1e-3);
    const json betan = model_of(found, "Law2_ScGeom_MindlinPhys_Mindlin, betan");
    const double ratio = keys_of(betan).at("betan"), k = hertz(2.1e11, 0.3);
    check_restitution(
        betan,
        [&](double x, double v, double m) {
            return k * std::pow(x, 1.5) + ratio * 2.0 * std::sqrt(m * 1.5 * k * std::sqrt(x)) * v;
        },
        false);

    found = translated(folder, "tsuji --for chrono --set law.restitution=0.6");
    const json smc = model_of(found, "SMC, Hertz");
    keys = keys_of(smc);
    check_restitution(smc, antypov(keys.at("young_modulus"), 0.3, keys.at("restitution")), false);
    const json flores = model_of(found, "SMC, Flores");
    keys = keys_of(flores);
    const double e = keys.at("restitution"), speed = keys.at("characteristic_impact_velocity");
    check_restitution(
        flores,
        [&](double x, double v, double) {
            return k * std::pow(x, 1.5) * (1.0 + 8.0 * (1.0 - e) / (5.0 * e * speed) * v);
        },
        false);
    CHECK(flores.at("largest_error").get<double>() > 0.05);
}

TEST_CASE("five laws in each program return what is printed, integrated plainly") {
    // LAMMPS and YADE run these laws where they are installed: validation/peers.
    const Folder folder;
    const std::string one_mass = " --masses 2.5e-4:2.5e-4";
    for (const std::string law :
         {"tsuji", "hunt-crossley", "kuwabara-kono", "ma-liu", "kelvin-voigt"}) {
        CAPTURE(law);
        const json mujoco = translated(folder, law + " --for mujoco" + one_mass);
        check_restitution(mujoco, constraint(keys_of(mujoco)), false);
        const json point =
            model_of(translated(folder, law + " --for drake" + one_mass), "point contact");
        check_restitution(point, compliant_point(keys_of(point)), false);
        const json simbody = translated(folder, law + " --for simbody" + one_mass);
        check_restitution(simbody, hunt_crossley(keys_of(simbody)), false);
        const json smc =
            model_of(translated(folder, law + " --for chrono" + one_mass), "SMC, Hertz");
        std::map<std::string, double> keys = keys_of(smc);
        check_restitution(smc, antypov(keys.at("young_modulus"), 0.3, keys.at("restitution")),
                          false);
        const json hertz_model =
            model_of(translated(folder, law + " --for liggghts" + one_mass), "model hertz");
        keys = keys_of(hertz_model);
        check_restitution(hertz_model,
                          antypov(keys.at("youngsModulus"), 0.3, keys.at("coefficientRestitution")),
                          true);
    }
}

TEST_CASE("--for takes a case, ranges and any law, and says what cannot be expressed") {
    const Folder folder;
    write_file(folder / "case.toml",
               "speed = 2.0\n[contact]\nstiffness = 4e9\neffective_mass = 2e-4\neffective_radius = "
               "1e-3\n[law]\nname = \"hertz\"\n");
    const json plain =
        translated(folder, "hertz --for lammps --case case.toml --speeds 1:4 --masses 1e-4:1e-4");
    CHECK(plain.at("speeds") == json({1.0, 4.0}));
    CHECK(plain.at("restitution").size() == 7);
    CHECK(plain.at("restitution")[6].at("speed") == 4.0);
    CHECK(plain.at("largest_error").get<double>() < 1e-8);  // steps of 1e-10, a few hundred
    CHECK_RELATIVE(keys_of(plain).at("kn"), 4e9 / std::sqrt(1e-3), 1e-12);
    CHECK(plain.at("cannot") == "");

    // Yielding: the stiffness is fitted, too, and the sentence says what is missing.
    const json yields = translated(folder, "ma-liu --for liggghts");
    CHECK(yields.at("cannot").get<std::string>().find("leaves an overlap of") != std::string::npos);
    CHECK(keys_of(yields).at("youngsModulus") < 2.1e11);
    // Cylinders, and bodies that stick.
    CHECK(translated(folder, "johnson --for yade")
              .at("cannot")
              .get<std::string>()
              .find("line contacts") != std::string::npos);
    const json sticks = translated(folder, "jkr --for yade --speeds 1e-6:1e-5");
    CHECK(sticks.at("cannot").get<std::string>().find("do not part") != std::string::npos);
    // Every program takes every law; the text names its first model.
    for (const char* program :
         {"lammps", "liggghts", "yade", "mujoco", "drake", "chrono", "simbody"}) {
        CAPTURE(program);
        const Said text =
            shell(folder, std::string("beadwave laws thornton --speeds 1:10 --for ") + program);
        CHECK(text.status == 0);
        CHECK(text.out.find("\n1. ") != std::string::npos);
        CHECK(text.out.find("cannot express the law exactly") != std::string::npos);
    }
}

TEST_CASE("--for refuses what it cannot read") {
    const Folder folder;
    const auto refused = [&](const std::string& command, const std::string& why) {
        CAPTURE(command);
        const Said said = shell(folder, "beadwave laws " + command);
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(why) != std::string::npos, said.err);
    };
    refused("tsuji --for lamps", "there is no program \"lamps\"; did you mean \"lammps\"?");
    refused("--for lammps", "needs a law");
    refused("tsuij --for lammps", "did you mean \"tsuji\"?");
    refused("wu --for lammps", "restitution formula");
    refused("tsuji --speeds 1:2", "--speeds");
    refused("tsuji --for lammps --speeds 2:1", "expected LOW:HIGH");
    refused("tsuji --for lammps --masses 0:1", "expected LOW:HIGH");
    refused("tsuji --for lammps --set law.restitution=2", "law.restitution");
    refused("tsuji --for lammps --set law.restitutoin=0.5", "restitution");
    refused("tabulated --for lammps", "law.");
    refused("tsuji --for lammps --case none.toml", "none.toml");
}

}  // namespace beadwave::validation::translation_test
