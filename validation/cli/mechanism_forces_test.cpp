// Forces, springs and friction that holds, in the program. Includes mechanism/mechanism.hpp, so
// that a build without mechanisms leaves this file out.
#include "held_run.hpp"
#include "mechanism/mechanism.hpp"
#include "program.hpp"
#include "relative.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>
#include <string>

namespace beadwave::validation::mechanism_forces_test {

using json = nlohmann::json;

namespace {

/// A block that a spring pulls over a rough floor, against a stop; `more` is added at the end.
std::string dragged(const std::string& more) {
    return R"([[body]]
name = "block"
mass = 2.0
inertia = 0.01
centre = [0.0, 0.01]
velocity = [1.0, 0.0]

[[spring]]
name = "pull"
bodies = ["ground", "block"]
first = [-1.0, 0.01]
second = [0.0, 0.01]
stiffness = 200.0

[[force]]
body = "block"
point = [0.0, 0.01]
force = [3.0, 0.0]
frequency = 2.0

[[contact]]
kind = "point-line"
bodies = ["block", "ground"]
point = [0.0, 0.0]
line_point = [0.0, 0.0]
normal = [0.0, 1.0]
stiffness = 1e7
law = { name = "flores", restitution = 0.5 }
friction = { law = "linear", coefficient = 0.3, stiffness = 1e5, damping = 10.0 }

[gravity]
acceleration = [0.0, -9.81]

[time]
end = 1.0
interval = 1e-3
)" + more;
}

}  // namespace

TEST_CASE("a run with springs and held friction, stopped and resumed, is equal to the bit") {
    const Folder folder;
    write_file(folder / "drag.toml", dragged(""));
    REQUIRE(shell(folder, "beadwave run drag.toml --quiet -o whole.h5").status == 0);
    const Said stopped = run_until(folder, "run drag.toml --quiet -o cut.h5", "400", SIGTERM);
    REQUIRE(stopped.status == 1);
    REQUIRE(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet").status == 0);
    check_same_histories(folder);
}

namespace {

/// A block that slides down a guide at 0.2 rad, with this friction in it.
std::string guided(const std::string& friction) {
    return R"([[body]]
name = "block"
mass = 2.0
inertia = 0.01
centre = [0.0, 0.0]

[[joint]]
kind = "slider"
bodies = ["ground", "block"]
axis = [-0.9800665778412416, -0.19866933079506122]
friction = )" +
           friction + R"(

[gravity]
acceleration = [0.0, -9.81]

[time]
end = 0.5
interval = 1e-2
)";
}

}  // namespace

TEST_CASE("a joint's friction is read, recorded and resumed, and wrong keys are named") {
    const Folder folder;
    write_file(folder / "slope.toml", guided("{ coefficient = 0.1, length = 0.3 }"));
    REQUIRE(shell(folder, "beadwave run slope.toml --quiet -o whole.h5").status == 0);
    const Said read = shell(folder, BEADWAVE_PYTHON
                            " -c 'import h5py; f = h5py.File(\"whole.h5\"); "
                            "print(f[\"observables/joint_friction_force/value\"][-1, 0])'");
    REQUIRE_MESSAGE(read.status == 0, read.err);
    CHECK_RELATIVE(std::stod(read.out), -0.1 * 2.0 * 9.81 * std::cos(0.2), 1e-9);
    const Said stopped = run_until(folder, "run slope.toml --quiet -o cut.h5", "3", SIGTERM);
    REQUIRE_MESSAGE(stopped.status == 1, stopped.err);
    REQUIRE(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet").status == 0);
    check_same_histories(folder);

    const auto refused = [&](const std::string& friction, const std::string& what) {
        write_file(folder / "wrong.toml", guided(friction));
        const Said said = shell(folder, "beadwave run wrong.toml -o wrong.h5");
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(what) != std::string::npos, said.err);
    };
    refused("{ coefficient = -0.1, length = 0.3 }", "joint.0.friction.coefficient");
    refused("{ coefficient = 0.1 }", "length");
    refused("{ coefficient = 0.1, radius = 0.3 }", "radius");
    refused("{ length = 0.3 }", "coefficient");
}

TEST_CASE("a run with impacts and Coulomb's friction, stopped and resumed, is equal to the bit") {
    const Folder folder;
    // A block that slides on two corners while a spring pulls it, and is thrown up first.
    std::string text = dragged("");
    text.replace(text.find("velocity = [1.0, 0.0]"), 21, "velocity = [1.0, 0.3]");
    const std::size_t contact = text.find("[[contact]]"), gravity = text.find("[gravity]");
    std::string corners;
    for (const std::string x : {"-0.05", "0.05"}) {
        corners +=
            "[[contact]]\nkind = \"point-line\"\nbodies = [\"block\", \"ground\"]\npoint = [" + x +
            ", 0.0]\nline_point = [0.0, 0.0]\nnormal = [0.0, 1.0]\n"
            "law = { name = \"impulse\", restitution = 0.3 }\n"
            "friction = { coefficient = 0.3 }\n\n";
    }
    text.replace(contact, gravity - contact, corners);
    write_file(folder / "rest.toml", text);
    REQUIRE(shell(folder, "beadwave run rest.toml --quiet -o whole.h5").status == 0);
    for (const std::string step : {"20", "60", "100"}) {
        CAPTURE(step);
        const Said stopped = run_until(folder, "run rest.toml --quiet -o cut.h5", step, SIGTERM);
        REQUIRE_MESSAGE(stopped.status == 1, stopped.err);
        REQUIRE(shell(folder, "beadwave resume cut.h5.checkpoint.h5 --quiet").status == 0);
        check_same_histories(folder);
    }
}

TEST_CASE("the definition of one contact's restitution has an effect with friction alone") {
    const Folder folder;
    std::string text = dragged("");
    const std::size_t law = text.find("law = {"), gravity = text.find("[gravity]");
    const std::string impulse =
        "law = { name = \"impulse\", restitution = 0.3, definition = \"poisson\" }\n";
    const std::string warning = "law.definition has no effect: of one contact without friction";
    for (const std::string friction : {"", "friction = { coefficient = 0.3 }\n"}) {
        std::string tried = text;
        write_file(folder / "law.toml", tried.replace(law, gravity - law, impulse + friction));
        const Said said = shell(folder, "beadwave run law.toml -o law.h5");
        CHECK_MESSAGE(said.status == 0, said.err);
        CHECK((said.err.find(warning) != std::string::npos) == friction.empty());
    }
}

TEST_CASE(
    "a displacement file drives a joint, and its reaction and the spring are in the history") {
    const Folder folder;
    // A rail that carries the block moves it by x = 0.1 (1 - cos(20 t)).
    std::string rows = "time_s,displacement_m\n";
    for (int i = 0; i <= 400; ++i) {
        const double t = i / 400.0;
        rows +=
            std::to_string(t) + "," + std::to_string(5.0 + 0.1 * (1.0 - std::cos(20.0 * t))) + "\n";
    }
    write_file(folder / "shake.csv", rows);
    std::string text = dragged("");
    text.erase(text.find("velocity ="),
               text.find('\n', text.find("velocity =")) - text.find("velocity ="));
    text.insert(text.find("[[spring]]"),
                "[[joint]]\nkind = \"slider\"\nbodies = [\"ground\", \"block\"]\naxis = [1.0, "
                "0.0]\ndisplacement_file = \"shake.csv\"\n\n");
    write_file(folder / "shake.toml", text);
    const Said run = shell(folder, "beadwave run shake.toml --quiet -o shake.h5");
    REQUIRE_MESSAGE(run.status == 0, run.err);
    const Said read =
        shell(folder, BEADWAVE_PYTHON
              " -c 'import h5py, numpy as np; f = h5py.File(\"shake.h5\"); o = "
              "f[\"observables\"]; x = f[\"particles/all/position/value\"][:, 0, 0]; "
              "t = f[\"particles/all/position/time\"][:]; "
              "assert np.allclose(x, 0.1 * (1 - np.cos(20 * t)), atol=2e-5), "
              "np.abs(x - 0.1 * (1 - np.cos(20 * t))).max(); "
              "assert np.allclose(o[\"spring_extension/value\"][:, 0], x, atol=1e-12); "
              "a = f[\"particles/all/acceleration/value\"][:, 0, 0]; "
              "assert np.allclose(a, 40 * np.cos(20 * t), atol=0.8), \"digits of the rows\"; "
              "pull = 200 * x - 3 * np.sin(4 * np.pi * t); "
              "friction = o[\"friction_force/value\"][:, 0]; "
              "assert np.allclose(o[\"joint_force/value\"][:, 0, 0], "
              "2 * a + pull + friction, rtol=1e-9, atol=1e-7)'");
    CHECK_MESSAGE(read.status == 0, read.err);
    CHECK(run.err.find("do not resolve the motion") == std::string::npos);

    write_file(folder / "shake.csv",
               "time_s,displacement_m\n0,0\n0.1,0\n0.2,0\n0.3,0.1\n0.4,0.1\n0.5,0.1\n9,0.1\n");
    const Said step = shell(folder, "beadwave run shake.toml -o step.h5");
    CHECK(step.status == 0);
    CHECK_MESSAGE(step.err.find("joint.0.displacement_file: the rows at 0.2 s and 0.3 s do not "
                                "resolve the motion") != std::string::npos,
                  step.err);
}

TEST_CASE("what is wrong with a force or a spring is said in one sentence with its key") {
    const Folder folder;
    write_file(folder / "up.csv", "time_s,force_x_N,force_y_N\n0,1,2\n1,1,2\n0.5,1,2\n");
    write_file(folder / "one.csv", "extension_m,force_N\n0,0\n");
    struct Case {
        std::string more, message;
    };
    const std::string spring =
        "[[spring]]\nbodies = [\"ground\", \"block\"]\nfirst = [0.0, 0.01]\n";
    for (const Case& tried :
         {Case{"[[force]]\nbody = \"block2\"\npoint = [0.0, 0.0]\nforce = [1.0, 0.0]\n",
               "force.1.body = \"block2\": there is no body with this name"},
          Case{"[[force]]\nbody = \"block\"\npoint = [0.0, 0.0]\n",
               "force.1.force: missing; give force, [x, y] in N, or force_file"},
          Case{"[[force]]\nbody = \"block\"\npoint = [0.0, 0.0]\nforce_file = \"up.csv\"\n",
               "time_s must increase"},
          Case{"[[torque]]\nbodies = [\"block\", \"block\"]\ntorque = 1.0\n", "torque.0.bodies"},
          Case{spring + "second = [0.0, 0.01]\nstiffness = 1.0\nfree_length = 0.1\n",
               "its ends are at one place, so it has no direction"},
          Case{
              spring + "second = [0.1, 0.01]\nstiffness = 1.0\ndamping = 1.0\nacts = \"tension\"\n",
              "a one-sided spring takes no damping"},
          Case{spring + "second = [0.1, 0.01]\nforce_file = \"one.csv\"\n",
               "needs two rows or more"},
          Case{spring + "second = [0.1, 0.01]\nstiffness = 1.0\nforce_file = \"one.csv\"\n",
               "is given in addition to stiffness; give one of the two"},
          Case{"[[torsion_spring]]\nbodies = [\"ground\", \"block\"]\nstiffness = -1.0\n",
               "torsion_spring.0.stiffness = -1.0: must be"}}) {
        CAPTURE(tried.more);
        write_file(folder / "wrong.toml", dragged("\n" + tried.more));
        const Said said = shell(folder, "beadwave run wrong.toml --quiet -o wrong.h5");
        CHECK(said.status == 2);
        CHECK_MESSAGE(said.err.find(tried.message) != std::string::npos, said.err);
        CHECK(said.err.find('\n') == said.err.size() - 1);
    }
    write_file(folder / "idle.toml", [] {
        std::string text = dragged("");
        const std::string from = "law = \"linear\", coefficient = 0.3";
        text.replace(text.find(from), from.size(), from + ", slip_tolerance = 1e-3");
        return text;
    }());
    const Said said = shell(folder, "beadwave run idle.toml -o idle.h5");
    CHECK(said.status == 0);
    CHECK(said.err.find("friction.slip_tolerance has no effect: law linear does not use it") !=
          std::string::npos);
}

}  // namespace beadwave::validation::mechanism_forces_test
