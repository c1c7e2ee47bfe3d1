// A sphere hits a wall obliquely, with a linear spring along and across the contact: speeds, energy
// and ledger, against a method that follows stick and slip from event to event.

#include "program.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace beadwave::validation::oblique_impact_test {
namespace {

using nlohmann::json;

/// Rows of the reference oblique_impact.csv: normal spring 2e7 N/m, mass 1.767145867644259e-4 kg, a
/// ball without spin. Its lever of friction is the whole radius. The speeds do not depend on the
/// radius, so that here it is 2.5 m, beside which the overlap of 1e-5 m is nothing.
struct Row {
    double vx, vz;  ///< before [m/s]; along the wall, towards it
    double tangential_stiffness, normal_dashpot, tangential_dashpot;  ///< [N/m], [N s/m]
    double friction;
    bool until_no_force;  ///< otherwise contact lasts to zero overlap, without friction in tension
    double vx_after, vz_after;  ///< [m/s]
    double ratio;               ///< of the kinetic energies
    double tolerance;  ///< of the speeds [m/s], at steps of 2e-9 s; first order with dashpots
};

constexpr Row rows[] = {
    {1.949871605548683, 3.377276689046221, 5714285.714285714, 0, 0, 0.5, false, 0.8356592595208636,
     3.377276689046221, 1, 1e-5},
    {3.783904171301606, 0.9434332699806099, 5714285.714285714, 0, 0, 0.5, false, 2.840470901320995,
     0.9434332699806099, 0.7353701497109869, 1e-5},
    {2.75753486945315, 2.75753486945315, 12000000, 0, 0, 0.5, false, 1.50245503988557,
     2.75753486945315, 0.9073800479784258, 1e-5},
    {3.37727668904622, 1.949871605548684, 12000000, 0, 0, 0.5, false, 1.810397151444507,
     1.949871605548684, 0.8691029949372486, 1e-5},
    {1.009327814041258, 3.766862683494408, 12000000, 0, 0, 0.1, false, 0.5308439156178149,
     3.766862683494408, 0.9891780443141103, 1e-5},
    {3.37727668904622, 1.949871605548684, 12000000, 0, 0, 0.1, false, 2.987302367936483,
     1.949871605548684, 0.8617949192431124, 1e-5},
    {3.7839, 0.94345, 5714285.714285714, 0.7598727230870312, 0.3799363615435156, 0.5, false,
     2.849777024060511, 0.9246963966816388, 0.7336769441633668, 2e-5},
    {1.949871605548683, 3.377276689046221, 12000000, 19.08259418761535, 0, 0.5, false,
     0.9684972599913112, 2.026366013427732, 0.489997803337042, 3e-4},
    {3.37727668904622, 1.949871605548684, 12000000, 19.08259418761535, 0, 0.5, false,
     1.9319491024509, 1.16992296332921, 0.6788255270994331, 3e-4},
    {2.75753486945315, 2.75753486945315, 12000000, 19.08259418761535, 0, 0.5, true,
     1.319340627333981, 1.743563146466821, 0.6543714309120616, 3e-4},
    {3.783904171301606, 0.9434332699806099, 12000000, 19.08259418761535, 0, 0.5, true,
     3.020113262663688, 0.5965239094202581, 0.7190536790103548, 3e-4},
};

}  // namespace

TEST_CASE(
    "a sphere that hits a wall obliquely leaves as stick and slip have it, and gains no energy") {
    const Folder folder;
    for (const Row& row : rows) {
        CAPTURE(row.vx);
        CAPTURE(row.tangential_stiffness);
        CAPTURE(row.normal_dashpot);
        write_file(folder / "impact.toml",
                   fmt::format(
                       "[material.a]\nyoungs_modulus=1e9\npoisson_ratio=0.3\ndensity=2.7e-6\n"
                       "[[particles]]\nposition=[0, 0, 2.5]\nradius=2.5\nmaterial=\"a\"\n"
                       "velocity=[{}, 0, {}]\n"
                       "[[wall]]\npoint=[0, 0, 0]\nnormal=[0, 0, 1]\nmaterial=\"a\"\n"
                       "[law]\nname=\"kelvin-voigt\"\nstiffness=2e7\nrestitution=\"from-damping\"\n"
                       "damping={}\nseparation=\"{}\"\n"
                       "[friction]\nlaw=\"linear\"\ncoefficient={}\nstiffness={}\ndamping={}\n"
                       "[time]\nend=1.2e-5\nstep=2e-9\n",
                       row.vx, -row.vz, row.normal_dashpot, row.until_no_force ? "force" : "gap",
                       row.friction, row.tangential_stiffness, row.tangential_dashpot));
        const Said said =
            shell(folder, "beadwave run impact.toml --json --quiet -o i.h5 --overwrite");
        REQUIRE_MESSAGE(said.status == 0, said.err);
        const json result = json::parse(said.out);
        const json& energy = result.at("energy");
        const double mass = 1.767145867644259e-4;
        const double vx = result.at("momentum")[0].get<double>() / mass;
        const double vz = result.at("momentum")[2].get<double>() / mass;
        CHECK(std::abs(vx - row.vx_after) < row.tolerance);
        CHECK(std::abs(vz - row.vz_after) < row.tolerance);
        const double initial = energy.at("initial"), kinetic = energy.at("kinetic");
        CHECK(std::abs(kinetic / initial - row.ratio) < row.tolerance);
        // Where nothing is lost: the error of the step, second order.
        CHECK(kinetic <= initial * (1.0 + 1e-7));
        const double dissipated = energy.at("dissipated"), stored = energy.at("stored");
        CHECK(std::abs(kinetic + stored + dissipated - initial) < 1e-13 * initial);
    }
}

}  // namespace beadwave::validation::oblique_impact_test
