// A scenario as a person describes it, in SI units: what to build and how to run it. Plain data;
// io reads it from TOML, build_chain() turns it into beads and contacts.
#pragma once

#include "beadwave/chain/drive.hpp"
#include "beadwave/chain/origin.hpp"
#include "beadwave/laws/contact.hpp"
#include "beadwave/laws/settings.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace beadwave::chain {

struct Material {
    laws::Elasticity elasticity;
    std::optional<double> density;  ///< [kg/m^3]
};

/// One bead kind of a pattern; what it leaves out is the segment's.
struct BeadKind {
    std::optional<double> radius;         ///< [m]
    std::optional<double> mass;           ///< [kg]
    std::optional<std::string> material;  ///< a name of Scenario::materials
};

struct Segment {
    std::int64_t beads = 0;
    double radius = 0.0;            ///< [m]; with a pattern whose kinds all give one, may be 0
    std::optional<double> mass;     ///< [kg]; else from the material's density
    std::string material;           ///< a name of Scenario::materials
    double velocity = 0.0;          ///< [m/s], towards higher bead numbers
    std::optional<double> gap;      ///< before each bead [m]; negative = precompressed
    std::vector<BeadKind> pattern;  ///< repeated along the segment; empty: all beads alike
    double taper = 1.0;             ///< radius ratio from bead to bead; mass follows the cube
    double disorder = 0.0;  ///< relative standard deviation of the radius; mass follows the cube
    std::uint64_t seed = 0;
};

enum class EndKind { free, wall, fixed, driven };

struct End {
    EndKind kind = EndKind::free;
    std::optional<std::string> material{};  ///< of a wall, driven or not; else that of the end bead
    double gap = 0.0;                       ///< between wall and end bead at the start [m]
    std::optional<Drive> drive{};           ///< of a driven wall

    bool is_wall() const { return kind == EndKind::wall || kind == EndKind::driven; }
};

struct Gravity {
    double acceleration = 0.0;  ///< [m/s^2], towards higher bead numbers
    bool equilibrium = true;    ///< start in static equilibrium
};

struct Time {
    double end = 0.0;            ///< [s]
    std::optional<double> step;  ///< [s]; else chosen
    double sleep_speed = 0.0;    ///< beads slower than this are put to rest [m/s]; 0: none ever is
};

struct Sensors {
    std::vector<std::int64_t> beads;
    std::optional<double> interval;  ///< between samples in the history [s]
};

/// When checkpoints are written; whichever comes first.
struct Checkpoints {
    std::optional<double> every;     ///< of the clock on the wall [s]
    std::optional<double> interval;  ///< of simulated time [s]
};

struct Scenario {
    std::string title;
    std::map<std::string, Material, std::less<>> materials;
    std::vector<Segment> segments;
    laws::Settings law;
    End left, right;
    std::optional<Gravity> gravity;
    std::optional<double> precompression;  ///< [N]
    Time time;
    std::optional<Sensors> sensors;
    std::optional<double> snapshot_interval;  ///< [s]
    std::optional<double> energy_interval;    ///< [s]
    std::optional<Checkpoints> checkpoints;

    std::string text;  ///< the TOML text as run, overrides applied
    /// The texts of the files that it names, by dotted key ("law.file"): with them it needs no
    /// file.
    std::map<std::string, std::string> file_texts;
    Origin origin;  ///< where each key stands, for errors found later

    std::int64_t bead_count() const {
        std::int64_t count = 0;
        for (const Segment& segment : segments)
            count += segment.beads;
        return count;
    }
};

}  // namespace beadwave::chain
