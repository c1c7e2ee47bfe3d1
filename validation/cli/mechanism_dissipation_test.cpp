// The table [dissipation] of mechanisms: what the history and `--json` hold, also after an
// interruption. Includes mechanism/mechanism.hpp, so that a build without mechanisms leaves this
// file out.
#include "held_run.hpp"
#include "mechanism/mechanism.hpp"
#include "program.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <csignal>
#include <string>

namespace beadwave::validation::mechanism_dissipation_cli_test {
namespace {

const std::string configs = std::string(BEADWAVE_SOURCE_DIR) + "/configs/";

/// Runs Python with h5py; what it asserts holds.
void check_with_python(const Folder& folder, const std::string& script) {
    write_file(folder / "check.py", "import h5py, json\nimport numpy as np\n" + script);
    const Said said = shell(folder, BEADWAVE_PYTHON " check.py");
    CHECK_MESSAGE(said.status == 0, said.err);
}

/// A block slides on a rail, on which it stands with two points, and another one bounces on it.
constexpr const char* two_blocks = R"(
[[body]]
name = "lower"
mass = 1.0
inertia = 1e-3
centre = [0.0, 0.0]
velocity = [0.5, 0.0]
[[body]]
name = "upper"
mass = 0.5
inertia = 1e-3
centre = [0.0, 0.05]
velocity = [1.0, -0.2]
[[contact]]
name = "rail left"
kind = "point-line"
bodies = ["lower", "ground"]
point = [-0.2, 0.0]
line_point = [0.0, 0.0]
normal = [0.0, 1.0]
friction = { coefficient = 0.2 }
[[contact]]
name = "rail right"
kind = "point-line"
bodies = ["lower", "ground"]
point = [0.2, 0.0]
line_point = [0.0, 0.0]
normal = [0.0, 1.0]
friction = { coefficient = 0.2 }
[[contact]]
name = "between"
kind = "point-line"
bodies = ["upper", "lower"]
point = [0.0, 0.03]
line_point = [0.0, 0.02]
normal = [0.0, 1.0]
[law]
name = "impulse"
restitution = 0.5
[gravity]
acceleration = [0.0, -9.81]
[time]
end = 0.15
interval = 0.01
[dissipation]
per = ["contact", "particle", "wall"]
)";

}  // namespace

TEST_CASE("samples of a mechanism hold what contacts, bodies and the ground dissipated") {
    const Folder folder;
    write_file(folder / "two.toml", two_blocks);
    const std::string crank = configs +
                              "slider_crank_wang_liu.toml' --set time.end=0.02 --set "
                              "'dissipation.per=[\"contact\", \"particle\", \"wall\"]";
    for (const std::string& scenario : {std::string("two.toml"), crank}) {
        CAPTURE(scenario);
        const Said said = shell(
            folder, fmt::format("beadwave run '{}' --quiet --json -o m.h5 > m.json", scenario));
        REQUIRE_MESSAGE(said.status == 0, said.err);
        CHECK(said.err.empty());  // unlike chains and packings no other engine is needed
        check_with_python(folder, R"(
run = json.load(open("m.json"))
f = h5py.File("m.h5")
energy = f["observables"]
# The pairs of bodies of the contact points; -1 is the ground.
pairs = {3: [(0, -1), (0, -1), (1, 0)], 1: [(1, 2)]}[len(energy["contacts"])]
scale = run["energy"]["dissipated"]
assert scale > 1e-3
assert set(run["dissipation"]) == {"normal", "sliding"}
for part, entry in (("normal", "normal"), ("sliding", "friction")):
    contacts = energy[f"contact_{part}_dissipation/value"][:]
    bodies = f[f"particles/all/particle_{part}_dissipation/value"][:]
    ground = energy[f"wall_{part}_dissipation/value"][:]
    assert energy[f"contact_{part}_dissipation/value"].attrs["unit"] == "J"
    ledger = energy[f"{entry}_dissipation/value"][:]
    assert contacts.shape == (len(ledger), len(pairs)) and ground.shape == (len(ledger), 1)
    assert np.all(abs(contacts.sum(axis=1) - ledger) < 1e-13 * scale)
    for i in range(bodies.shape[1]):
        mine = sum(0.5 * contacts[:, c] for c, pair in enumerate(pairs) if i in pair)
        assert np.all(abs(bodies[:, i] - mine) < 1e-15 * scale), i
    mine = sum(0.5 * contacts[:, c] for c, pair in enumerate(pairs) if -1 in pair)
    assert np.all(abs(ground[:, 0] - mine) < 1e-15 * scale)
    assert abs(run["dissipation"][part] - contacts[-1].sum()) < 1e-15 * scale
    assert contacts[-1].sum() > 0.01 * scale, part
)");
    }
}

TEST_CASE("an interrupted mechanism goes on with what its contacts had dissipated") {
    const Folder folder;
    const std::string run = "run '" + configs +
                            "slider_crank_wang_liu.toml' --quiet --set time.end=0.02 --set "
                            "checkpoint.interval=1e-3 --set 'dissipation.per=[\"contact\", "
                            "\"particle\", \"wall\"]' ";
    REQUIRE(shell(folder, "beadwave " + run + "-o whole.h5").status == 0);
    REQUIRE(run_until(folder, run + "-o cut.h5", "200", SIGTERM).status == 1);
    const Said resumed = shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet");
    REQUIRE_MESSAGE(resumed.status == 0, resumed.err);
    check_same_histories(folder);
}

TEST_CASE("[dissipation] of a mechanism without contacts has no effect, and run says so") {
    const Folder folder;
    write_file(folder / "bare.toml",
               "[[body]]\nname=\"a\"\nmass=1.0\ninertia=1.0\ncentre=[0.0, 0.0]\n"
               "[gravity]\nacceleration=[0.0, -9.81]\n"
               "[time]\nend=0.1\n[dissipation]\nper=[\"contact\"]\n");
    const Said said = shell(folder, "beadwave run bare.toml --quiet --json -o b.h5");
    REQUIRE_MESSAGE(said.status == 0, said.err);
    CHECK(said.err.find("dissipation has no effect: there is no contact") != std::string::npos);
    const Said wrong =
        shell(folder, "beadwave run bare.toml --quiet -o c.h5 --set 'dissipation.per=[\"joint\"]'");
    CHECK(wrong.status == 2);
    CHECK(wrong.err.find("dissipation.per[0] = \"joint\": must be a list of \"contact\", "
                         "\"particle\" and \"wall\", each at most once") != std::string::npos);
}

}  // namespace beadwave::validation::mechanism_dissipation_cli_test
