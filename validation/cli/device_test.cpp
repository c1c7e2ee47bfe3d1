// The choice of the device: the key `device` of packings and the option --device.

#include "packing_runs.hpp"

#include <nlohmann/json.hpp>

namespace beadwave::validation::device_test {

namespace {

/// Beads that fall onto a plate that turns and against a wall that moves, with all that a history
/// holds.
const std::string scenario = R"(
[material.steel]
youngs_modulus = 2e8
poisson_ratio = 0.3
density = 7970

[[particles]]
random = 60
lower = [-0.02, -0.02, 0.0]
upper = [0.02, 0.02, 0.04]
radius = 2.38e-3
material = "steel"
velocity = [0.6, 0.2, -1.0]
seed = 3

[[wall]]
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "steel"

[[wall]]
point = [0.023, 0.0, 0.0]
normal = [-1.0, 0.0, 0.0]
material = "steel"
velocity = [-0.5, 0.0, 0.0]

[[wall]]
shape = "cylinder"
point = [0.0, 0.0, 0.0]
axis = [0.0, 0.0, 1.0]
radius = 0.032
angular_velocity = 20.0
material = "steel"

[law]
name = "tsuji"
restitution = 0.8

[friction]
law = "mindlin"
coefficient = 0.3

[gravity]
acceleration = [0.0, 0.0, -9.81]

[time]
end = 4e-3
step = 2e-6

[sensors]
particles = [9, 39, 24]
interval = 4e-6

[snapshots]
interval = 1e-3

[energy]
interval = 1e-4

[checkpoint]
interval = 2e-4
)";

const std::string on_twin = "device = \"twin\"\n" + scenario;

/// In front of a command: with the instruction set whose bits devices have.
const std::string as_devices = "export BEADWAVE_INSTRUCTION_SET=avx2; ";

bool has_avx2(const Folder& folder) {
    return shell(folder, as_devices + "beadwave run x.toml --quiet --set time.end=4e-6 -o x.h5")
               .status == 0;
}

/// Runs x.toml into cut.h5, interrupted in its middle, and continues on another device.
void run_in_two_parts(const Folder& folder, const std::string& other) {
    const Said cut =
        HeldRun(folder, "run x.toml --quiet -o cut.h5", "1740", as_devices).end_by(SIGTERM);
    REQUIRE_MESSAGE(cut.status == 1, cut.err);
    const Said resumed = shell(
        folder, as_devices + "beadwave resume cut.h5.checkpoint.h5 --quiet --device " + other);
    CHECK_MESSAGE(resumed.status == 0, resumed.err);
}

void check_one_sentence(const Said& said, int status, const std::string& what) {
    CHECK(said.status == status);
    CHECK_MESSAGE(said.err.find(what) != std::string::npos, said.err);
    CHECK_MESSAGE(std::count(said.err.begin(), said.err.end(), '\n') == 1, said.err);
}

}  // namespace

TEST_CASE("a run that continues on another device has the bits of one on either") {
    const Folder folder;
    write_file(folder / "x.toml", scenario);
    if (!has_avx2(folder)) return;
    REQUIRE(shell(folder, as_devices + "beadwave run x.toml --quiet -o whole.h5").status == 0);
    run_in_two_parts(folder, "twin");
    check_same_histories(folder);

    write_file(folder / "x.toml", on_twin);
    // The twin has these bits whatever the processor has.
    const Said twin = shell(folder, "beadwave run x.toml --quiet -o twin.h5");
    REQUIRE_MESSAGE(twin.status == 0, twin.err);
    const std::string but = " --but /parameters/instruction_set";
    check_same_histories(folder, "whole.h5", "twin.h5", "--but /parameters/scenario" + but);
    run_in_two_parts(folder, "cpu");
    check_same_histories(folder, "twin.h5", "cut.h5", but);
    const Said touched =
        shell(folder, python("import h5py\nfile = h5py.File(\"twin.h5\")\n"
                             "of = lambda name: file[f\"observables/{name}/value\"][:]\n"
                             "print(of(\"friction_dissipation\")[-1] > 0, "
                             "abs(of(\"net_contact_force\")).max((0, 2)).min() > 1)"));
    CHECK_MESSAGE(touched.out == "True True\n", touched.err);
}

TEST_CASE("--device is in place of the key, and the summary names the device") {
    const Folder folder;
    write_file(folder / "x.toml", on_twin);
    const std::string run = "beadwave run x.toml --json --quiet --set time.end=4e-5 -o x.h5 ";
    const auto device = [&](const std::string& options) {
        const Said said = shell(folder, run + options);
        REQUIRE_MESSAGE(said.status == 0, said.err);
        return nlohmann::json::parse(said.out).value("device", "none");
    };
    CHECK(device("") == "twin");
    CHECK(device("--device cpu") == "none");
    write_file(folder / "x.toml", scenario);
    CHECK(device("") == "none");
    CHECK(device("--device twin") == "twin");
    const Said text = shell(folder, "beadwave run x.toml --set time.end=4e-5 --device twin");
    CHECK_MESSAGE(text.out.find(" s on twin and 1 thread\n") != std::string::npos, text.out);
}

TEST_CASE("an interrupted run that continued on a device says how it continues there") {
    const Folder folder;
    write_file(folder / "x.toml", scenario);
    REQUIRE(run_until(folder, "run x.toml --quiet -o cut.h5", "500", SIGTERM).status == 1);
    const Said again =
        run_until(folder, "resume cut.h5.checkpoint.h5 --device twin --quiet", "1250", SIGTERM);
    check_one_sentence(again, 1,
                       "continue with: beadwave resume cut.h5.checkpoint.h5 --device twin\n");
}

TEST_CASE("what devices do not have is refused in one sentence, before anything is written") {
    check_refused(on_twin,
                  {{"\"twin\"", "\"cuda\"", "device"},
                   {"device = \"twin\"", "device = \"twin\"\nprecision = \"mixed\"",
                    "packing.toml:1: device = \"twin\": devices do not have mixed precision yet"},
                   {"[law]", "[[foundation]]\nstiffness = 1e3\n[law]",
                    "device = \"twin\": devices do not have elements"}});
    const Folder folder;
    write_file(folder / "x.toml", scenario);
    const Said law = shell(folder,
                           "beadwave run x.toml --device twin --set law.name=thornton "
                           "--set material.steel.yield_stress=1e9 -o x.h5");
    check_one_sentence(law, 2,
                       "--set device = \"twin\": devices do not have the contact law \"thornton\" "
                       "yet; they have hertz, hooke, ");
    CHECK(!std::filesystem::exists(folder / "x.h5"));
}

TEST_CASE("only packings choose a device") {
    const std::string configs = BEADWAVE_SOURCE_DIR "/configs/";
    for (const auto& [file, kind] :
         {std::pair("chain70", "a chain"), std::pair("slider_crank", "a mechanism")}) {
        const Folder folder;
        for (const std::string name : {"gpu", "cpu"}) {
            const Said said = shell(
                folder, "beadwave run '" + configs + file + ".toml' -o x.h5 --device " + name);
            check_one_sentence(said, 2,
                               "--set device = \"" + name +
                                   "\": only packings choose a device, and this is " + kind);
        }
        CHECK(!std::filesystem::exists(folder / "x.h5"));
    }
}

TEST_CASE("without a driver of a graphics processor a run on it ends, and nothing is written") {
    const Folder folder;
    write_file(folder / "x.toml", scenario);
    // A driver that is no library: as if there were none.
    write_file(folder / "libcuda.so.1", "");
    const std::string without = "export LD_LIBRARY_PATH=\"$PWD\"; ";
    const Said said = shell(folder, without + "beadwave run x.toml --device gpu --quiet -o x.h5");
    check_one_sentence(said, 1, "beadwave: device \"gpu\": ");
    CHECK(shell(folder, "ls").out == "libcuda.so.1\nx.toml\n");

    REQUIRE(run_until(folder, "run x.toml --quiet -o x.h5", "500", SIGTERM).status == 1);
    const std::string history = read_file(folder / "x.h5");
    const Said resumed =
        shell(folder, without + "beadwave resume x.h5.checkpoint.h5 --device gpu --quiet");
    check_one_sentence(resumed, 1, "beadwave: device \"gpu\": ");
    check_one_sentence(resumed, 1,
                       "; continue with: beadwave resume x.h5.checkpoint.h5 --device gpu\n");
    CHECK(read_file(folder / "x.h5") == history);
    CHECK(shell(folder, "beadwave resume x.h5.checkpoint.h5 --quiet").status == 0);
}

}  // namespace beadwave::validation::device_test
