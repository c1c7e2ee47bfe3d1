#include "laws/triple.hpp"
#include "random_scenario.hpp"
#include "random_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace beadwave::validation {
namespace {

using Vector = laws::Triple<double>;

class Author {
  public:
    explicit Author(std::uint64_t number) : dice_(number) {}

    RandomScenario write() {
        radius_ = dice_.decades(1e-4, 2e-2);
        speed_ = dice_.chance(0.3) ? 0.0 : dice_.decades(1e-3, 10.0);
        flat_ = dice_.chance(0.3);
        stuff_ = dice_.below(material_names().size());
        const double kind = dice_.part();
        if (kind < 0.35) {
            pair();
        } else if (kind < 0.55) {
            sunk_into_wall();
        } else if (kind < 0.75) {
            heap();
        } else {
            soft_and_fast();
        }
        std::string text = (flat_ ? "dimension = 2\n" : "") + materials() + text_;
        text += soft();
        text += random_law(dice_, std::max(speed_, 1e-3), false);
        text += random_friction(dice_, radius_);
        text += random_rolling(dice_, flat_);
        if (dice_.chance(0.2)) text += "[gravity]\nacceleration = [0.0, -9.81, 0.0]\n";
        text += "[time]\nend = END\n[sensors]\nparticles = [";
        for (std::size_t i = 0; i < particles_; ++i)
            text += fmt::format("{}{}", i == 0 ? "" : ", ", i);
        return {.text = text + "]\n", .contacts = dice_.decades(0.5, 5.0), .wait = wait_};
    }

  private:
    std::string soft() {
        const double modulus = dice_.decades(1e4, 1e8), poisson = dice_.between(0.1, 0.48);
        const double yield = dice_.decades(1e5, 1e9), density = dice_.decades(500.0, 8000.0);
        return fmt::format(
            "[material.soft]\nyoungs_modulus = {:.6g}\npoisson_ratio = {:.6g}\nyield_stress = "
            "{:.6g}\ndensity = {:.6g}\n",
            modulus, poisson, yield, density);
    }

    Vector direction() {
        const double turn = 2.0 * std::numbers::pi * dice_.part();
        const double z = flat_ ? 0.0 : dice_.between(-1.0, 1.0);
        const double side = std::sqrt(1.0 - z * z);
        return {side * std::cos(turn), side * std::sin(turn), z};
    }

    /// An overlap [radius]: small, or up to two, at which the centre is on the other side.
    double depth() {
        const double kind = dice_.part();
        if (kind < 0.3) return dice_.decades(1e-5, 0.1);
        return kind < 0.5 ? dice_.between(0.1, 0.95) : dice_.between(0.95, 2.0);
    }

    void sphere(const Vector& at, double radius, const Vector& velocity) {
        text_ += fmt::format(
            "[[particles]]\nposition = [{:.17g}, {:.17g}, {:.17g}]\nradius = {:.9g}\nmaterial = "
            "\"{}\"\nvelocity = [{:.9g}, {:.9g}, {:.9g}]\n",
            at.x, at.y, at.z, radius, material_, velocity.x, velocity.y, velocity.z);
        if (dice_.chance(0.4)) {
            const double rate = speed_ / radius * dice_.decades(0.1, 5.0);
            text_ += fmt::format("angular_velocity = [0.0, 0.0, {:.9g}]\n", rate);
        }
        ++particles_;
    }

    void wall() {
        text_ += fmt::format(
            "[[wall]]\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 1.0, 0.0]\nmaterial = \"{}\"\n",
            material_);
    }

    void choose_material() { material_ = dice_.chance(0.5) ? "soft" : material_names()[stuff_]; }

    void pair() {
        choose_material();
        const double second = dice_.chance(0.5) ? radius_ : radius_ * dice_.decades(0.05, 20.0);
        const double smaller = std::min(radius_, second);
        const double kind = dice_.part();
        double distance = radius_ + second - depth() * smaller;
        if (kind < 0.15) distance = 0.0;
        if (kind >= 0.15 && kind < 0.3) distance = smaller * dice_.decades(1e-14, 1e-2);
        const Vector middle = dice_.chance(0.5) ? Vector{} : Vector{1.0, 1.0, flat_ ? 0.0 : 1.0};
        sphere(middle, radius_, {});
        const Vector at = middle + std::max(distance, 0.0) * direction();
        sphere(at, second, speed_ * direction());
    }

    void sunk_into_wall() {
        choose_material();
        const Vector at{0.0, radius_ * (1.0 - depth()), 0.0};
        sphere(at, radius_, speed_ * direction());
        wall();
    }

    /// Several spheres at random places, so that most overlap, above a wall.
    void heap() {
        choose_material();
        const std::size_t count = 3 + dice_.below(5);
        const double width = radius_ * dice_.between(0.5, 4.0);
        for (std::size_t i = 0; i < count; ++i) {
            const Vector at{width * dice_.part(), radius_ + width * dice_.part(),
                            flat_ ? 0.0 : width * dice_.part()};
            const double radius = radius_ * dice_.between(0.5, 1.0);
            sphere(at, radius, speed_ * direction());
        }
        wall();
    }

    /// A soft sphere that strikes a wall or another one. Under Hertz's law it sinks in by about
    /// (density v^2 / modulus)^(2/5) of its radius: here from a hundredth to beyond its centre.
    void soft_and_fast() {
        material_ = "soft";
        speed_ = dice_.decades(1.0, 100.0);
        const double gap = radius_ * dice_.decades(1e-6, 1e-2);
        if (dice_.chance(0.5)) {
            sphere({0.0, radius_ + gap, 0.0}, radius_, {0.0, -speed_, 0.0});
            wall();
        } else {
            const double second = radius_ * dice_.decades(0.3, 3.0);
            const Vector way = direction();
            sphere({}, radius_, {});
            sphere((radius_ + second + gap) * way, second, -speed_ * way);
        }
        wait_ = 2.0 * gap / speed_;
    }

    Dice dice_;
    std::string text_, material_ = "soft";
    std::size_t particles_ = 0, stuff_ = 0;
    double speed_ = 0.0, radius_ = 1e-3, wait_ = 0.0;
    bool flat_ = false;
};

}  // namespace

RandomScenario random_overlap(std::uint64_t number) {
    return Author(number).write();
}

}  // namespace beadwave::validation
