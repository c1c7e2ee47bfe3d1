// What can be recorded of a system: a chain, a packing or a mechanism describes it once, and every
// store (store.hpp) takes it from there. To record a new quantity, add a Channel to the description
// of the system; files, memory, Python and checkpoints follow.
//
// A Fill reads the present state of the system. It belongs to the system and lives as long.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace beadwave::ranks {
class Communicator;
}

namespace beadwave::recording {

/// When a stream is sampled. A mechanism has one pace, that of its snapshots.
enum class Pace { sensors, snapshots, energy, measures };
inline constexpr std::array paces{Pace::sensors, Pace::snapshots, Pace::energy, Pace::measures};

/// Items first, first + 1, ... of something that the ranks share.
struct OwnItems {
    std::size_t first, count;
};

/// Expected number of samples of each pace. Doubles, because they may exceed every integer type.
struct Counts {
    double sensors = 0.0, snapshots = 0.0, energy = 0.0, measures = 0.0;

    double of(Pace pace) const {
        const double all[] = {sensors, snapshots, energy, measures};
        return all[static_cast<std::size_t>(pace)];
    }
};

/// Writes the numbers of items first, first + 1, ... with all their components.
using Fill = std::function<void(std::size_t first, std::span<double> out)>;

/// One quantity that is sampled.
struct Channel {
    std::string path;                  ///< of its group in the history: "observables/sensor_force"
    std::string unit;                  ///< H5MD's spelling: "m s-1"; "1": none
    std::vector<std::size_t> shape{};  ///< of one sample: {} a number, {N} items, {N, 3} vectors
    Fill fill{};
    /// The file has vectors of space: the missing components of each item are 0 there.
    bool in_space = false;
    /// A sum that is only in the file: of constant numbers and another channel of the stream.
    struct Sum {
        std::size_t channel;
        /// Adds the constant numbers of items first, first + 1, ... to those of the channel.
        Fill add;
    };
    std::optional<Sum> sum{};
    std::string meaning{};  ///< attribute `description` in the file; empty: none

    std::size_t items() const { return shape.empty() ? 1 : shape.front(); }
    std::size_t components() const {  ///< of one item, without those that in_space adds
        std::size_t all = 1;
        for (std::size_t d = 1; d < shape.size(); ++d)
            all *= shape[d];
        return all;
    }
    /// The name in memory: the last part of the path.
    std::string name() const { return path.substr(path.rfind('/') + 1); }
};

/// Channels that are sampled together.
struct Stream {
    Pace pace;
    /// In memory its steps and times are NAME_step and NAME_time; empty: those of another stream of
    /// this pace.
    std::string times;
    std::vector<Channel> channels;
    /// Whether, on several ranks, each rank has its own items. Otherwise the first rank has all.
    bool shared = false;
    /// The own items, if these are not those of the own bodies (Description::own_items).
    std::optional<std::vector<OwnItems>> own{};
};

/// A column of a table. Whole numbers are stored as integers.
struct Column {
    std::string name, unit;
    std::size_t width = 1;
    bool whole = false;
    Fill fill{};  ///< of the present rows
};

/// Rows whose number changes from sample to sample: closed contacts; or that come one by one:
/// impacts.
struct Table {
    std::string path;          ///< of its group in the history
    std::string name;          ///< in memory: NAME/COLUMN
    std::optional<Pace> pace;  ///< with it come step, time and row_splits; without: append_rows()
    std::size_t chunk;         ///< rows per chunk of the file
    std::vector<Column> columns;
    std::function<std::size_t()> rows{};   ///< the present number
    std::optional<std::string> contact{};  ///< attribute of the group: the contact's name
    std::size_t expected_rows = 0;         ///< per sample
    /// Whether, on several ranks, each rank has some of the rows, one rank after another. Otherwise
    /// the first rank has all.
    bool shared = false;
};

/// Numbers 0, 1, ... and an index into names.
struct Numbering {
    std::size_t count;
};
struct Named {
    std::vector<std::string> names;
    std::function<int(std::size_t item)> index;
    std::size_t count;  ///< of this process's items
};

/// What does not change during a run. Its functions, unlike fills, must not read the system, only
/// what the system was made from.
struct Constant {
    std::string path;                ///< in the history; empty: only in memory
    std::string name;                ///< in memory; empty: only in the file
    std::string unit;                ///< empty: none
    std::vector<std::size_t> shape;  ///< of the whole system; {}: one number
    /// A function is called where the numbers are needed.
    std::variant<std::span<const double>, std::function<std::vector<double>()>, double,
                 std::int64_t, Numbering, Named, std::vector<std::string>>
        value;
    bool shared = false;  ///< as Stream::shared
    /// The own items, as Stream::own; `value` has these items, one after another.
    std::optional<std::vector<OwnItems>> own{};
};

/// What can be recorded of a system.
struct Description {
    std::string system;  ///< "chain", "packing" or "mechanism"
    std::string bodies;  ///< group of the bodies in the history: "particles/beads"
    std::array<bool, 3> periodic{};
    std::vector<Constant> constants{};
    std::vector<Stream> streams{};
    std::vector<Table> tables{};
    std::vector<std::int64_t> sensors{};  ///< numbers of the bodies that have one
    std::string sensor_bodies{};          ///< "beads", "particles"
    Counts counts{};
    /// Owns numbers that constants and channels show, if the system does not.
    std::vector<std::shared_ptr<const std::vector<double>>> owned{};
    /// Null: one process. Otherwise this process has the bodies [own_first, own_end) of what is
    /// shared, and the last one also what comes behind the bodies: the last contact of a chain.
    ranks::Communicator* ranks = nullptr;
    std::size_t own_first = 0, own_end = 0, total = 0;

    /// This process's number of items of something shared that has `items` items.
    std::size_t own_count(std::size_t items) const {
        return (own_end == total ? items : own_end) - own_first;
    }

    /// This process's items of a stream or constant with `items` items.
    template <class Part>
    std::vector<OwnItems> own_items(const Part& part, std::size_t items) const {
        return part.own.value_or(std::vector<OwnItems>{{own_first, own_count(items)}});
    }

    /// Keeps numbers as long as this description or a copy of it.
    std::span<const double> keep(std::vector<double> numbers) {
        owned.push_back(std::make_shared<const std::vector<double>>(std::move(numbers)));
        return *owned.back();
    }
};

/// For Channel::Sum: adds numbers, one per item from number `begin` on, that live long enough.
inline Fill adding(std::span<const double> numbers, std::size_t begin = 0) {
    return [numbers, begin](std::size_t first, std::span<double> out) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = numbers[first - begin + i] + out[i];
    };
}

/// Fills from a number per item.
template <class Number>
Fill per_item(Number number) {
    return [number](std::size_t first, std::span<double> out) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = number(first + i);
    };
}

}  // namespace beadwave::recording
