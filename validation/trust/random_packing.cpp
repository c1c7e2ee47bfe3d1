#include "laws/triple.hpp"
#include "random_scenario.hpp"
#include "random_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

namespace beadwave::validation {
namespace {

using Vector = laws::Triple<double>;

std::string written(const Vector& v) {
    return fmt::format("[{:.9g}, {:.9g}, {:.9g}]", v.x, v.y, v.z);
}

class Author {
  public:
    explicit Author(std::uint64_t number) : dice_(number) {}

    RandomScenario write() {
        speed_ = dice_.decades(1e-3, 10.0);
        radius_ = dice_.decades(1e-4, 2e-2);
        stuff_ = dice_.below(material_names().size());
        mixed_ = dice_.chance(0.6);
        largest_ratio_ = dice_.chance(0.6) ? dice_.decades(1.1, 30.0) : 1.0;
        const double kind = dice_.part();
        const bool presses = kind > 0.85;
        if (kind < 0.25) {
            two_meet();
        } else if (kind < 0.45) {
            bounce();
        } else if (kind < 0.7) {
            strike_crystal();
        } else if (kind < 0.85) {
            cloud();
        } else {
            press();
        }
        std::string head = flat_ ? "dimension = 2\n" : "";
        text_ = head + materials() + text_ + random_law(dice_, speed_, presses);
        text_ += random_friction(dice_, radius_);
        text_ += random_rolling(dice_, flat_);
        if (dice_.chance(0.2)) text_ += "[gravity]\nacceleration = [0.0, -9.81, 0.0]\n";
        text_ += "[time]\nend = END\n[sensors]\nparticles = [";
        for (std::size_t i = 0; i < particles_; ++i)
            text_ += fmt::format("{}{}", i == 0 ? "" : ", ", i);
        text_ += "]\n";
        return {.text = text_,
                .files = files_,
                .contacts = dice_.decades(0.5, many_ ? 8.0 : 20.0),
                .wait = wait_};
    }

  private:
    std::string material() {
        return material_names()[mixed_ ? dice_.below(material_names().size()) : stuff_];
    }
    double size() { return radius_ / dice_.decades(1.0, largest_ratio_); }

    Vector direction() {
        const double turn = 2.0 * std::numbers::pi * dice_.part();
        const double z = flat_ ? 0.0 : dice_.between(-1.0, 1.0);
        const double side = std::sqrt(1.0 - z * z);
        return {side * std::cos(turn), side * std::sin(turn), z};
    }

    /// The rim is up to a few times as fast as the centre.
    Vector angular_velocity(double radius) {
        const double size = dice_.chance(0.4) ? 0.0 : speed_ / radius * dice_.decades(0.1, 5.0);
        return flat_ ? Vector{0.0, 0.0, size} : size * direction();
    }

    void sphere(const Vector& at, double radius, const Vector& velocity, bool fixed = false) {
        text_ += fmt::format("[[particles]]\nposition = {}\nradius = {:.9g}\nmaterial = \"{}\"\n",
                             written(at), radius, material());
        if (fixed) {
            text_ += "fixed = true\n";
        } else {
            text_ += fmt::format("velocity = {}\nangular_velocity = {}\n", written(velocity),
                                 written(angular_velocity(radius)));
        }
        ++particles_;
    }

    void wall(const Vector& at, const Vector& normal, const std::string& motion = "") {
        text_ += fmt::format("[[wall]]\npoint = {}\nnormal = {}\nmaterial = \"{}\"\n{}",
                             written(at), written(normal), material(), motion);
    }

    /// Along `normal` at most as fast as `speed_`, across it up to three times that.
    Vector approach(const Vector& normal) {
        Vector velocity = (-speed_ * dice_.between(0.2, 1.0)) * normal;
        if (dice_.chance(0.8)) velocity += (speed_ * dice_.decades(0.05, 3.0)) * across(normal);
        return velocity;
    }

    Vector across(const Vector& normal) {
        if (flat_) return {-normal.y, normal.x, 0.0};
        Vector side = direction();
        side -= dot(side, normal) * normal;
        const double length = std::sqrt(dot(side, side));
        return length > 0.1 ? (1.0 / length) * side : across(normal);
    }

    void two_meet() {
        flat_ = dice_.chance(0.3);
        const double first = size(), second = size();
        const Vector normal = direction();
        const double gap = std::min(first, second) * dice_.decades(1e-6, 1e-3);
        sphere({}, first, {});
        sphere((first + second + gap) * normal, second, approach(normal));
        wait_ = 5.0 * gap / speed_;
    }

    void bounce() {
        flat_ = dice_.chance(0.3);
        const double radius = size();
        const Vector normal = direction();
        const double gap = radius * dice_.decades(1e-6, 1e-3);
        sphere((radius + gap) * normal, radius, approach(normal));
        std::string motion;
        if (dice_.chance(0.2)) motion = "velocity = " + written((0.5 * speed_) * normal) + "\n";
        if (!flat_ && dice_.chance(0.4)) {
            two_meshes(normal, radius, motion);
        } else {
            wall({}, normal, motion);
        }
        wait_ = 5.0 * gap / speed_;
    }

    /// A plane of two files, whose edges are flush or a hundredth of a radius apart or over
    /// another, below the sphere or up to a tenth of its radius beside it.
    void two_meshes(const Vector& normal, double radius, const std::string& motion) {
        const Vector along = across(normal);
        const Vector side{normal.y * along.z - normal.z * along.y,
                          normal.z * along.x - normal.x * along.z,
                          normal.x * along.y - normal.y * along.x};
        const double edge = dice_.chance(0.3) ? 0.0 : radius * dice_.between(-0.1, 0.1);
        const double apart = dice_.chance(0.5) ? 0.0 : radius * dice_.between(-0.01, 0.01);
        const double wide = 30.0 * radius;
        const std::string stuff = material();
        for (const auto& [number, from, to] :
             {std::tuple{0, -wide, edge}, std::tuple{1, edge + apart, wide}}) {
            const std::string name = number == 0 ? "left.stl" : "right.stl";
            text_ += fmt::format(
                "[[wall]]\nshape = \"mesh\"\nmesh_file = \"{}\"\n"
                "point = [0.0, 0.0, 0.0]\nmaterial = \"{}\"\n{}",
                name, stuff, motion);
            const Vector a = from * along - wide * side, b = to * along - wide * side;
            const Vector c = to * along + wide * side, d = from * along + wide * side;
            files_[fmt::format("wall.{}.mesh_file", number)] =
                "solid plate\n" + triangle(a, b, c) + triangle(a, c, d) + "endsolid plate\n";
        }
    }

    static std::string triangle(const Vector& a, const Vector& b, const Vector& c) {
        std::string text = "facet normal 0 0 0\nouter loop\n";
        for (const Vector& corner : {a, b, c})
            text += fmt::format("vertex {:.17g} {:.17g} {:.17g}\n", corner.x, corner.y, corner.z);
        return text + "endloop\nendfacet\n";
    }

    void strike_crystal() {
        many_ = true;
        static const std::vector<std::string> planar = {"square", "hexagonal"};
        static const std::vector<std::string> spatial = {"simple-cubic", "bcc", "fcc", "hcp"};
        flat_ = dice_.chance(0.4);
        const std::vector<std::string>& lattices = flat_ ? planar : spatial;
        const std::string lattice = lattices[dice_.below(lattices.size())];
        const std::size_t x = 1 + dice_.below(3), y = 1 + dice_.below(2);
        const std::size_t z = flat_ ? 1 : 1 + dice_.below(2);
        double overlap = 0.0;
        if (dice_.chance(0.3)) overlap = radius_ * dice_.decades(1e-8, 1e-6);
        if (dice_.chance(0.2)) overlap = -radius_ * dice_.decades(1e-8, 1e-4);
        const double radius = size();
        const double gap = radius * dice_.decades(1e-6, 1e-3);
        sphere({-(radius + radius_ + gap), 0.0, 0.0}, radius, approach(Vector{-1.0, 0.0, 0.0}));
        text_ += fmt::format(
            "[[particles]]\nlattice = \"{}\"\ncells = [{}, {}, {}]\noverlap = {:.6g}\n"
            "radius = {:.9g}\nmaterial = \"{}\"\n",
            lattice, x, y, z, overlap, radius_, material());
        static const std::map<std::string, std::size_t> in_cell = {
            {"square", 1}, {"hexagonal", 1}, {"simple-cubic", 1},
            {"bcc", 2},    {"fcc", 4},       {"hcp", 4}};
        particles_ += x * y * z * in_cell.at(lattice);
        wait_ = 5.0 * gap / speed_;
    }

    /// Spheres that fly towards one in the middle, above a floor.
    void cloud() {
        many_ = true;
        flat_ = dice_.chance(0.3);
        const double middle = size();
        sphere({}, middle, {});
        double lowest = -middle, widest = 0.0;
        std::vector<std::pair<Vector, double>> placed;
        for (std::size_t tries = 2 + dice_.below(6); tries > 0; --tries) {
            const double radius = size(), gap = radius * dice_.decades(1e-6, 1e-3);
            const Vector outward = direction();
            const Vector at = (middle + radius + gap) * outward;
            bool free = true;
            for (const auto& [other, its_radius] : placed) {
                const Vector apart = other - at;
                free = free && std::sqrt(dot(apart, apart)) > 1.0001 * (radius + its_radius);
            }
            if (!free) continue;
            placed.emplace_back(at, radius);
            sphere(at, radius, approach(outward));
            lowest = std::min(lowest, at.y - radius);
            widest = std::max(widest, gap);
        }
        wall({0.0, lowest - radius_ * dice_.decades(1e-6, 1e-3), 0.0}, {0.0, 1.0, 0.0});
        wait_ = 5.0 * widest / speed_;
    }

    /// A sphere between a wall at rest, or a fixed sphere, and a driven wall.
    void press() {
        flat_ = dice_.chance(0.3);
        const double radius = size();
        const bool held = dice_.chance(0.4);
        const double tilt = dice_.chance(0.5) ? dice_.between(0.0, 0.3) : 0.0;
        const double below = held ? size() : 0.0;
        sphere({0.0, radius, 0.0}, radius, {});
        if (held) sphere({0.0, -below, 0.0}, below, {}, true);
        if (!held) wall({}, {0.0, 1.0, 0.0});
        const Vector normal{std::sin(tilt), -std::cos(tilt), 0.0};
        const Vector top = Vector{0.0, radius, 0.0} - radius * normal;
        if (dice_.chance(0.5)) {
            files_["wall." + std::to_string(held ? 0 : 1) + ".file"] = random_press(dice_);
            wall(top, normal, "file = \"press.csv\"\n");
        } else {
            const double frequency = dice_.decades(200.0, 1e5);
            wall(top, normal,
                 fmt::format("frequency = {:.6g}\namplitude = {:.6g}\n", frequency,
                             speed_ / (2.0 * std::numbers::pi * frequency)));
        }
        // Without normal force, the effect of an initial rotation depends on rounding.
        const std::size_t rotation = text_.find("angular_velocity = ");
        text_.erase(rotation, text_.find('\n', rotation) + 1 - rotation);
    }

    Dice dice_;
    std::string text_;
    std::map<std::string, std::string> files_;
    std::size_t particles_ = 0, stuff_ = 0;
    double speed_ = 1.0, radius_ = 1e-3, largest_ratio_ = 1.0, wait_ = 0.0;
    bool flat_ = false, mixed_ = false, many_ = false;
};

}  // namespace

RandomScenario random_packing(std::uint64_t number) {
    return Author(number).write();
}

}  // namespace beadwave::validation
