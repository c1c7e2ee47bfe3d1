// Evaluates a law, runs a chain that it makes from arrays, resumes it from a checkpoint, and reads
// the history back. Prints each check that fails, and returns 1 if one does.
#include <beadwave/chain/chain_arrays.hpp>
#include <beadwave/history.hpp>
#include <beadwave/input_error.hpp>
#include <beadwave/laws/catalogue.hpp>
#include <beadwave/laws/hertz.hpp>
#include <beadwave/record.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>

using namespace beadwave;

namespace {

bool all_well = true;

void require(bool holds, const char* what) {
    if (holds) return;
    std::printf("failed: %s\n", what);
    all_well = false;
}

chain::Chain chain_of(double striker_speed) {
    const laws::Elasticity steel{.youngs_modulus = 193e9, .poisson_ratio = 0.3};
    const double radius = 2.38e-3, mass = 0.45e-3;
    const laws::Contact contact = laws::sphere_contact(radius, mass, steel, radius, mass, steel);
    chain::ChainArrays arrays{.radius = std::vector<double>(40, radius),
                              .mass = std::vector<double>(40, mass),
                              .velocity = std::vector<double>(40, 0.0),
                              .laws = {laws::make(contact, {.name = "hertz", .values = {}})}};
    arrays.velocity[0] = striker_speed;
    return chain::make_chain(arrays);
}

/// Three spheres from arrays, the first one moving: run, stopped and resumed, with the same bits.
void run_a_packing() {
    const ScenarioText scenario{.toml = R"(title = "Three spheres"
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7850
[[particles]]
file = "arrays"
material = "steel"
[law]
name = "hertz"
[time]
end = 2e-4
[sensors]
particles = [2]
[snapshots]
interval = 5e-5
[checkpoint]
interval = 1e-6
)",
                                .files = {{"particles.0.file",
                                           "x_m,y_m,z_m,radius_m,vx_m_per_s\n0,0,0,2e-3,1\n"
                                           "4e-3,0,0,2e-3,0\n8e-3,0,0,2e-3,0\n"}}};
    const ScenarioRun whole = record(scenario, {.history = "packing.h5"});
    require(whole.stopped.empty() && whole.summary.find("\"particles\"") != std::string::npos,
            "a packing runs to its end");
    int asked = 0;
    const ScenarioRun part =
        record(scenario, {.history = "packing_part.h5", .stop = [&] { return ++asked > 3; }});
    require(!part.stopped.empty(), "a packing is stopped before its end");
    resume("packing_part.h5.checkpoint.h5", RecordOptions{});
    const History a("packing.h5"), b("packing_part.h5");
    require(a.system() == "packing" && a.shape("velocity") == std::vector<std::size_t>{5, 3, 3},
            "the history of a packing");
    require(a.read("velocity") == b.read("velocity"), "the same snapshots of a packing to the bit");
    // The pulse has passed: the last sphere has nearly all of the momentum, the sum is that of the
    // start.
    const std::vector<double> v = a.read("velocity");
    const double* const last = v.data() + v.size() - 9;
    require(last[6] > 0.9 && std::abs(last[0] + last[3] + last[6] - 1.0) < 1e-12, "momentum");
    try {
        record(scenario, {.history = "packing.h5", .law = "hertz"});
        require(false, "a law beside a scenario");
    } catch (const InputError&) {
    }
    for (const char* file : {"packing.h5", "packing_part.h5", "packing_part.h5.checkpoint.h5"})
        std::filesystem::remove(file);
}

}  // namespace

int main() {
    run_a_packing();
    // A law is a value with one pure function: K delta^(3/2).
    const laws::Hertz<double> law{4e9};
    const double force = law.respond(1e-6, 0.0, {}).force;
    require(std::abs(force - 4e9 * std::pow(1e-6, 1.5)) < 1e-12 * force, "Hertz's force");

    const chain::Chain chain = chain_of(1.77);
    const running::Settings settings{.end = 3e-4, .sensors = {10, 30}, .snapshot_interval = 1e-4};
    const running::Finished whole =
        record(chain, settings, {.history = "whole.h5", .law = "hertz"});
    require(whole.result.sensors.size() == 2, "two sensors");
    require(whole.result.sensors[0].peak_force > 10.0, "a wave passed bead 10");

    // Stopped before its end, then resumed: the result is the same to the bit.
    int asked = 0;
    const running::Finished part =
        record(chain, settings,
               {.history = "part.h5", .law = "hertz", .checkpoint_interval = 1e-5, .stop = [&] {
                    return ++asked > 40;
                }});
    require(part.result.stopped, "stopped before its end");
    const running::Finished rest =
        resume("part.h5.checkpoint.h5", chain, settings, {.history = "part.h5", .law = "hertz"});
    require(rest.result.steps == whole.result.steps, "resumed to the end");
    const History a("whole.h5"), b("part.h5");
    const auto trace = a.over_time("sensor_force", a.sensor(30));
    require(trace == b.over_time("sensor_force", b.sensor(30)), "the same trace to the bit");
    require(trace.size() > 100, "a trace");
    require(a.shape("velocity") == std::vector<std::size_t>{4, 40} &&
                a.read("velocity") == b.read("velocity"),
            "the same snapshots to the bit");
    require(a.read("mass") == chain.mass && a.system() == "chain", "masses");
    const auto kinetic = a.read("kinetic_energy"), stored = a.read("stored_energy");
    const double initial = 0.5 * chain.mass[0] * 1.77 * 1.77;
    require(std::abs(kinetic.back() + stored.back() - initial) < 1e-6 * initial,
            "energy is conserved");

    // Another chain cannot be resumed from this checkpoint. A sensor that does not exist is an
    // error.
    asked = 0;
    running::Settings given = settings;
    given.step = 1e-8;
    record(chain, given, {.history = "part.h5", .checkpoint_interval = 1e-5, .stop = [&] {
                              return ++asked > 40;
                          }});
    try {
        resume("part.h5.checkpoint.h5", chain_of(1.78), given, {.history = "part.h5"});
        require(false, "another chain was resumed");
    } catch (const InputError& error) {
        require(std::string(error.what()).find("belongs to another chain") != std::string::npos,
                error.what());
    }
    try {
        a.sensor(11);
        require(false, "bead 11 had a sensor");
    } catch (const InputError&) {
    }
    for (const char* file : {"whole.h5", "part.h5", "part.h5.checkpoint.h5"})
        std::filesystem::remove(file);
    if (all_well) std::puts("a law, a run and a history work in an outside program");
    return all_well ? 0 : 1;
}
