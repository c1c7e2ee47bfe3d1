#include "modes/modes_file.hpp"

#include "io/durable/atomic_file.hpp"
#include "io/durable/full_io.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "io/history/h5md.hpp"

#include <functional>
#include <stdexcept>

namespace beadwave::modes {
namespace {

namespace fs = std::filesystem;
namespace hdf5 = io::hdf5;
using io::h5md::write_table;

bool is_modes(const fs::path& path) {
    try {
        const hdf5::File file = hdf5::open_to_read(path);
        return hdf5::has(file.id(), "frequency") && hdf5::has(file.id(), "parameters/version") &&
               hdf5::has(file.id(), "body");
    } catch (const std::runtime_error&) {
        return false;
    }
}

const io::ResultKind modes_result{.name = "modes that beadwave wrote", .is_one = is_modes};

std::vector<double> part(const std::vector<Complex>& numbers, double (Complex::*of)() const) {
    std::vector<double> all;
    all.reserve(numbers.size());
    for (const Complex& z : numbers)
        all.push_back((z.*of)());
    return all;
}

constexpr auto real = static_cast<double (Complex::*)() const>(&Complex::real);
constexpr auto imaginary = static_cast<double (Complex::*)() const>(&Complex::imag);

/// One part of all shapes: displacements, and rotations if there are any.
void write_shapes(hid_t file, const Analysis& analysis, const char* displacements,
                  const char* rotations, double (Complex::*of)() const) {
    const Modes& modes = analysis.modes;
    const std::size_t all = analysis.components(), own = analysis.dimension;
    std::vector<double> displacement, rotation;
    for (std::size_t k = 0; k < modes.shape.size(); ++k)
        (k % all < own ? displacement : rotation).push_back((modes.shape[k].*of)());
    const std::size_t count = modes.frequency.size(), bodies = analysis.body.size();
    write_table(file, displacements, {count, bodies, own}, displacement, "");
    if (all > own) write_table(file, rotations, {count, bodies, all - own}, rotation, "");
}

void write_modes(hid_t file, const Analysis& analysis) {
    const Modes& modes = analysis.modes;
    const std::size_t count = modes.frequency.size(), bodies = analysis.body.size();
    write_table(file, "frequency", {count}, modes.frequency, "Hz");
    if (!modes.damping_ratio.empty())
        write_table(file, "damping_ratio", {count}, modes.damping_ratio, "");
    hdf5::write_vector<std::int64_t>(file, "body", analysis.body);
    std::vector<double> position;
    for (const auto& r : analysis.position)
        position.insert(position.end(), r.begin(), r.end());
    write_table(file, "position", {bodies, 3}, position, "m");
    if (modes.shape.empty()) return;
    write_table(file, "participation_ratio", {count}, modes.participation_ratio, "");
    write_shapes(file, analysis, "shape", "rotation", real);
    if (!modes.damping_ratio.empty())
        write_shapes(file, analysis, "shape_imaginary", "rotation_imaginary", imaginary);
}

void write_density(hid_t file, const DensityOfStates& density) {
    const hdf5::Group group = hdf5::create_group(file, "density_of_states");
    write_table(group.id(), "edge", {density.edge.size()}, density.edge, "Hz");
    write_table(group.id(), "density", {density.density.size()}, density.density, "Hz-1");
}

struct WaveSizes {
    std::size_t points, branches, components;
};

void write_waves(hid_t group, const WaveSizes& n, const std::vector<double>& wave_vector,
                 const std::vector<double>& frequency, const std::vector<double>& velocity) {
    write_table(group, "frequency", {n.points, n.branches}, frequency, "Hz");
    if (n.components == 1) {
        write_table(group, "wave_number", {n.points}, wave_vector, "rad m-1");
        write_table(group, "group_velocity", {n.points, n.branches}, velocity, "m s-1");
    } else {
        write_table(group, "wave_number", {n.points, n.components}, wave_vector, "rad m-1");
        write_table(group, "group_velocity", {n.points, n.branches, n.components}, velocity,
                    "m s-1");
    }
}

void write_dispersion(hid_t file, const Dispersion& d) {
    const hdf5::Group bands = hdf5::create_group(file, "bands");
    std::vector<double> lower, upper;
    for (const Band& band : d.bands) {
        lower.push_back(band.lower);
        upper.push_back(band.upper);
    }
    write_table(bands.id(), "lower", {lower.size()}, lower, "Hz");
    write_table(bands.id(), "upper", {upper.size()}, upper, "Hz");
    if (d.grid) {
        const hdf5::Group grid = hdf5::create_group(file, "grid");
        const auto& [nx, ny, nz] = d.grid->points;
        const std::size_t points = nx * ny * nz;
        hdf5::write_vector<std::int64_t>(
            grid.id(), "points",
            std::vector<std::int64_t>(d.grid->points.begin(), d.grid->points.end()));
        write_waves(grid.id(), {points, d.branches, d.components}, d.grid->wave_vector,
                    d.grid->frequency, d.grid->group_velocity);
    }
    if (d.frequency.empty()) return;
    const hdf5::Group group = hdf5::create_group(file, "dispersion");
    const std::size_t points = d.frequency.size() / d.branches;
    write_waves(group.id(), {points, d.branches, d.components}, d.wave_vector, d.frequency,
                d.group_velocity);
    std::vector<double> lattice;
    for (const auto& vector : d.lattice)
        lattice.insert(lattice.end(), vector.begin(), vector.end());
    write_table(group.id(), "lattice", {d.lattice.size(), d.components}, lattice, "m");
}

void write_transfer(hid_t file, const Transfer& transfer) {
    const hdf5::Group group = hdf5::create_group(file, "transfer");
    const std::size_t count = transfer.frequency.size(), sensors = transfer.sensors.size();
    hdf5::set_attribute(group.id(), "input", transfer.input);
    hdf5::set_attribute(group.id(), "input_unit", std::string(transfer.by_wall ? "m" : "N"));
    write_table(group.id(), "frequency", {count}, transfer.frequency, "Hz");
    hdf5::write_vector<std::int64_t>(group.id(), "sensors", transfer.sensors);
    const bool wall = transfer.by_wall;
    const auto write_part = [&](const char* name, const std::vector<Complex>& numbers,
                                double (Complex::*of)() const, const char* unit) {
        if (transfer.components == 1) {
            write_table(group.id(), name, {count, sensors}, part(numbers, of), unit);
        } else {
            write_table(group.id(), name, {count, sensors, transfer.components}, part(numbers, of),
                        unit);
        }
    };
    const char* const length = wall ? "1" : "m N-1";
    const char* const force = wall ? "N m-1" : "1";
    write_part("displacement_real", transfer.displacement, real, length);
    write_part("displacement_imaginary", transfer.displacement, imaginary, length);
    write_part("force_real", transfer.force, real, force);
    write_part("force_imaginary", transfer.force, imaginary, force);
}

void write_hdf5(const fs::path& path, const Analysis& analysis) {
    hdf5::write_file(path, 0, [&](hid_t file) {
        hdf5::set_attribute(file, "format", std::string("beadwave modes"));
        hdf5::set_attribute(file, "system", analysis.system);
        const hdf5::Group parameters = hdf5::create_group(file, "parameters");
        hdf5::write_text(parameters.id(), "scenario", analysis.scenario_text);
        hdf5::write_text(parameters.id(), "version", BEADWAVE_VERSION);
        if (!analysis.modes.warnings.empty())
            hdf5::write_texts(file, "warnings", analysis.modes.warnings);
        write_modes(file, analysis);
        if (analysis.density) write_density(file, *analysis.density);
        if (analysis.dispersion) write_dispersion(file, *analysis.dispersion);
        if (analysis.transfer) write_transfer(file, *analysis.transfer);
    });
}

}  // namespace

void check(const io::Output& output) {
    io::check_output(output, modes_result);
}

void write(const io::Output& output, const Analysis& analysis) {
    io::AtomicFile file(output, modes_result);
    io::naming(output.path, [&] { write_hdf5(file.path(), analysis); });
    file.commit();
}

}  // namespace beadwave::modes
