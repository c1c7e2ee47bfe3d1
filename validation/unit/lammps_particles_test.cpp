#include "subjects/packing/lammps_particles.hpp"

#include "beadwave/input_error.hpp"
#include "relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace beadwave::validation::lammps_particles_test {

namespace {

const std::string data_head = "title, units = si\n\n2 atoms\n1 atom types\n0 1 xlo xhi\n\n";
const std::string atoms =
    "Atoms # sphere\n\n9 1 0.02 2500 0.1 0.2 0.3\n4 1 0.04 1000 0.5 0.6 0.7 0 0 1\n";
const std::string velocities = "\nVelocities\n\n4 1 2 3 4 5 6\n9 0 0 0 0 0 -1\n";

const std::string dump_head =
    "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n";

io::NamedFile file(const std::string& text) {
    return {.name = "p", .text = text};
}

template <class Read>
std::string error_of(const Read& read) {
    try {
        read();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

std::string data_error(const std::string& text) {
    return error_of([&] { io::read_lammps_data(file(text)); });
}

std::string dump_error(const std::string& text, int dimension = 3) {
    return error_of([&] { io::read_lammps_dump(file(text), dimension); });
}

}  // namespace

TEST_CASE("a LAMMPS data file gives spheres in the order of their ids, with mass and velocities") {
    const auto read =
        io::read_lammps_data(file(data_head + "Masses\n\n1 1.0\n\n" + atoms + velocities));
    REQUIRE(read.places.particles.size() == 2);
    const auto& first = read.places.particles[0];  // id 4
    CHECK(first.position == packing::Vec3{0.5, 0.6, 0.7});
    CHECK(first.velocity == packing::Vec3{1.0, 2.0, 3.0});
    CHECK(first.angular_velocity == packing::Vec3{4.0, 5.0, 6.0});
    CHECK(first.radius == 0.02);
    // Rounding only: 4/3 pi r^3 in another order of operations.
    CHECK_RELATIVE(first.mass, 1000.0 * std::numbers::pi / 6.0 * std::pow(0.04, 3), 1e-14);
    CHECK(read.places.particles[1].angular_velocity == packing::Vec3{0.0, 0.0, -1.0});
    CHECK(read.places.particles[1].position == packing::Vec3{0.1, 0.2, 0.3});
}

TEST_CASE("the last snapshot of a LAMMPS dump file is read, columns in any order, others ignored") {
    const std::string text = "ITEM: UNITS\nsi\n" + dump_head +
                             "ITEM: ATOMS id x y z radius\n1 9 9 9 1\n2 9 9 9 1\n" + dump_head +
                             "ITEM: ATOMS element mass id zu yu xu vz omegay diameter\n"
                             "Fe 0.5 11 0.3 0.2 0.1 -4 8 0.02\nFe 0.25 3 0.6 0.5 0.4 0 0 0.01\n";
    const auto read = io::read_lammps_dump(file(text), 3);
    REQUIRE(read.places.particles.size() == 2);
    CHECK(read.places.particles[0].position == packing::Vec3{0.4, 0.5, 0.6});
    CHECK(read.places.particles[0].radius == 0.005);
    CHECK(read.places.particles[0].mass == 0.25);
    CHECK(read.places.particles[1].velocity == packing::Vec3{0.0, 0.0, -4.0});
    CHECK(read.places.particles[1].angular_velocity == packing::Vec3{0.0, 8.0, 0.0});
}

TEST_CASE(
    "without a mass in the dump it is left to the density of the material, and z may miss in the "
    "plane") {
    const std::string text = dump_head + "ITEM: ATOMS id x y radius\n1 0 0 1\n2 3 0 1\n";
    const auto read = io::read_lammps_dump(file(text), 2);
    CHECK(read.places.particles[1].mass == 0.0);
    CHECK(read.places.particles[1].position == packing::Vec3{3.0, 0.0, 0.0});
    CHECK(dump_error(text) == "p, line 9: no column z or zu; found id x y radius");
}

TEST_CASE("a wrong LAMMPS data file is refused with its line and what was expected") {
    CHECK(data_error("title, units = lj\n2 atoms\n") ==
          "p, line 1: units lj; expected si (m, kg, s)");
    CHECK(data_error(data_head + "Atoms # atomic\n\n1 1 0 0 0\n") ==
          "p, line 7: atoms of the style atomic; expected sphere, which has diameter and density");
    CHECK(
        data_error(data_head + "Atoms\n\n1 1 0.02 2500 0 0\n") ==
        "p, line 9: 6 columns; expected 7 (id, type, diameter, density, x, y, z), or 10 with image "
        "flags");
    CHECK(data_error(data_head + "Atoms\n\n1 1 0.02 2500 0 0 zero\n") ==
          "p, line 9: z is \"zero\"; expected a number from -1e+30 to 1e+30");
    CHECK(data_error(data_head + "Atoms\n\n1 1 0 2500 0 0 0\n") ==
          "p, line 9: the radius is 0; expected a number above 0, in m");
    CHECK(data_error(data_head + "Atoms\n\n1 1 0.02 0 0 0 0\n") ==
          "p, line 9: density must be above 0, in kg/m^3");
    CHECK(data_error(data_head + "Atoms\n\n1 1 0.02 2500 0 0 0\n") ==
          "p, line 9: the file ends here; expected 2 atoms; section Atoms has 1");
    CHECK(data_error(data_head + "Atoms\n\n3 1 1 1 0 0 0\n3 1 1 1 5 0 0\n") ==
          "p, line 10: id 3 is also on line 9; expected one line per particle");
    CHECK(data_error(data_head + velocities) ==
          "p, line 8: section Velocities before Atoms; expected it behind");
    CHECK(data_error(data_head + atoms + "\nVelocities\n\n5 0 0 0 0 0 0\n") ==
          "p, line 14: id 5 is not in section Atoms");
    CHECK(data_error(data_head + atoms + "oops\n") ==
          "p, line 11: \"oops\" is not the name of a section of a LAMMPS data file");
    CHECK(data_error("title\n\nAtoms\n") ==
          "p, line 3: the number of atoms is missing before the first section");
    CHECK(data_error("") == "p, line 0: the file ends here; expected a section Atoms");
}

TEST_CASE("a wrong LAMMPS dump file is refused with its line and what was expected") {
    CHECK(dump_error("ITEM: UNITS\nlj\n" + dump_head) ==
          "p, line 2: units lj; expected si (m, kg, s)");
    CHECK(dump_error("x_m,y_m\n1,2\n") ==
          "p, line 1: expected ITEM: TIMESTEP of a LAMMPS dump file");
    CHECK(dump_error(dump_head + "ITEM: ATOMS id xs ys zs\n") ==
          "p, line 9: no column x or xu; found id xs ys zs; positions relative to the box (xs) are "
          "not read");
    CHECK(dump_error(dump_head + "ITEM: ATOMS id x y z\n") ==
          "p, line 9: no column radius or diameter; found id x y z");
    CHECK(dump_error(dump_head + "ITEM: ATOMS x y z radius\n") ==
          "p, line 9: no column id; found x y z radius");
    CHECK(dump_error(dump_head + "ITEM: ATOMS id x y z radius\n1 0 0 0\n") ==
          "p, line 10: 4 columns; expected 5, as ITEM: ATOMS names");
    CHECK(dump_error(dump_head + "ITEM: ATOMS id x y z radius\n1 0 0 0 1\n") ==
          "p, line 10: the file ends here; expected 2 atoms; the snapshot has 1");
    CHECK(dump_error(dump_head + "ITEM: ATOMS id x y z radius mass\n1 0 0 0 1 0\n") ==
          "p, line 10: the mass is 0; expected a number above 0, in kg");
    CHECK(dump_error(dump_head + "ITEM: ATOMS id x y z radius\n1.5 0 0 0 1\n") ==
          "p, line 10: id is \"1.5\"; expected a whole number from 1");
}

TEST_CASE("one type of particles is taken from LAMMPS's files, and the types are listed") {
    const std::string two = data_head + "Atoms\n\n2 1 1 1 0 0 0\n1 7 1 1 5 0 0\n";
    CHECK(io::read_lammps_data(file(two)).types == std::vector<std::int64_t>{1, 7});
    const auto chosen = io::read_lammps_data(file(two), 7);
    REQUIRE(chosen.places.particles.size() == 1);
    CHECK(chosen.places.particles[0].position == packing::Vec3{5.0, 0.0, 0.0});
    CHECK(error_of([&] { io::read_lammps_data(file(two), 3); }) ==
          "p, line 10: no particle of type 3; found the types 1, 7");
    const std::string typed =
        dump_head + "ITEM: ATOMS type id x y z radius\n4 1 0 0 0 1\n5 2 5 0 0 1\n";
    const auto last = io::read_lammps_dump(file(typed), 3, 5);
    REQUIRE(last.places.particles.size() == 1);
    CHECK(last.places.particles[0].position == packing::Vec3{5.0, 0.0, 0.0});
    CHECK(last.types == std::vector<std::int64_t>{4, 5});
    const std::string untyped = dump_head + "ITEM: ATOMS id x y z radius\n1 0 0 0 1\n2 5 0 0 1\n";
    CHECK(error_of([&] { io::read_lammps_dump(file(untyped), 3, 5); }) ==
          "p, line 11: no column type; expected it for particles of one type");
    CHECK(io::read_lammps_dump(file(untyped), 3).types.empty());
}

}  // namespace beadwave::validation::lammps_particles_test
