// The parameters of another program that come nearest to a law, over a range of impact speeds and
// masses, and how near that is.
#pragma once

#include "beadwave/laws/any_law.hpp"
#include "beadwave/laws/contact.hpp"
#include "translation/model.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace beadwave::translation {

/// A range from low to high [m/s], [kg], in equal ratios.
struct Range {
    double low, high;
    /// low, ..., high; one number where they are the same.
    std::vector<double> values(std::size_t count) const;
    double middle() const;
};

/// The law to express. Radii stay as they are over the range of masses.
struct Wanted {
    laws::Contact contact;
    /// The law of a contact of this effective mass [kg], for an impact at this speed [m/s].
    std::function<laws::AnyLaw(double mass, double speed)> law;
    Range speeds, masses;  ///< impact speeds [m/s], effective masses [kg]
    bool yields = false;   ///< what remains of the overlap is plastic
};

/// What the law itself does at one speed and mass.
struct Point {
    double speed, mass;  ///< [m/s], effective [kg]
    bool parts;          ///< false: under the law the bodies do not part
    double restitution;  ///< [-]
    double duration;     ///< [s]
    double overlap;      ///< the largest [m]
    double residual;     ///< overlap when the contact ends [m]
};

/// A model with the parameters that come nearest.
struct Translation {
    const Model* model;
    Numbers numbers;
    Touch touch;
    std::vector<double> restitution;  ///< at each point [-]
    std::vector<double> duration;     ///< at each point [s]; infinite: the bodies do not part
    double largest_error;             ///< of the restitution [-]
    double rms_error;                 ///< of the restitution [-]
    double largest_duration_error;    ///< relative [-]
    /// Why the model is not the law; a sentence, or nothing where the restitution agrees within
    /// 1e-3 and the duration within 1 %.
    std::string cannot;
};

struct Translated {
    std::vector<Point> points;
    /// The best first: by the rms error of the restitution and a tenth of the largest relative
    /// error of the duration.
    std::vector<Translation> models;
    std::string cannot;  ///< why there are none; a sentence
};

/// Throws ArgumentError if a range is not above 0 or falls, or the contact has no radius.
Translated translate(const Wanted& wanted, const Program& program);

}  // namespace beadwave::translation
