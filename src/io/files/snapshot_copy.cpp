#include "io/files/snapshot_copy.hpp"

#include "beadwave/input_error.hpp"
#include "io/durable/disk_space.hpp"
#include "io/durable/parallel_file.hpp"
#include "io/durable/writer_lock.hpp"
#include "io/files/output_path.hpp"
#include "io/hdf5/hdf5_reading.hpp"
#include "ranks/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace beadwave::io {
namespace {

/// As many as a chunk of a large history has.
constexpr std::uint64_t numbers_at_once = std::uint64_t{1} << 17;

/// A block of one row, or of several whole rows.
struct Piece {
    std::uint64_t row = 0, rows = 0, item = 0, items = 0;
};

/// Where the numbers of a dataset are, and in which pieces they are copied.
struct Extent {
    std::int64_t place = 0;  ///< of the first byte in the file
    std::uint64_t first_item = 0, rows = 0, items = 0;
    std::uint64_t width = 1;  ///< numbers per item

    std::uint64_t numbers() const { return rows * items * width; }
    std::uint64_t rows_at_once() const {
        return std::clamp<std::uint64_t>(numbers_at_once / (items * width), 1, rows);
    }
    std::uint64_t items_at_once() const {
        return std::clamp<std::uint64_t>(numbers_at_once / width, 1, items);
    }
    std::uint64_t pieces_per_row() const { return (items - 1) / items_at_once() + 1; }
    std::uint64_t pieces() const { return ((rows - 1) / rows_at_once() + 1) * pieces_per_row(); }
    Piece piece(std::uint64_t number) const {
        const std::uint64_t row = number / pieces_per_row() * rows_at_once();
        const std::uint64_t item = number % pieces_per_row() * items_at_once();
        return {row, std::min(rows_at_once(), rows - row), item,
                std::min(items_at_once(), items - item)};
    }
    std::int64_t place_of(const Piece& piece) const {
        const std::uint64_t number = (piece.row * items + piece.item) * width;
        return place + static_cast<std::int64_t>(number * sizeof(double));
    }
};

struct Target {
    std::string source{};  ///< a dataset of the history
    Extent extent{};
};

/// Empty name: the dataset is complete.
Target target_of(const hdf5::Dataset& dataset, std::uint64_t rows) {
    Target target{.source = hdf5::read_text_attribute(dataset.id(), "source")};
    if (target.source.empty()) return target;
    const std::vector<hsize_t> shape = hdf5::shape_of(dataset);
    Extent& extent = target.extent;
    extent.place = hdf5::place_of(dataset);
    extent.first_item =
        static_cast<std::uint64_t>(hdf5::read_integers(dataset.id(), "first_item").at(0));
    extent.rows = rows;
    extent.items = shape.at(0) / rows;
    for (std::size_t d = 1; d < shape.size(); ++d)
        extent.width *= shape[d];
    return target;
}

std::vector<Target> targets_in(const std::filesystem::path& path) {
    const hdf5::File file = hdf5::open_to_read(path);
    const hdf5::Group grid = hdf5::open_group(file.id(), "VTKHDF");
    const hdf5::Group steps = hdf5::open_group(grid.id(), "Steps");
    const auto rows = static_cast<std::uint64_t>(hdf5::read_integers(steps.id(), "NSteps").at(0));
    std::vector<Target> targets;
    if (rows == 0) return targets;
    const auto add = [&](hid_t group, const std::string& name) {
        Target target = target_of(hdf5::open_dataset(group, name), rows);
        if (!target.source.empty() && target.extent.numbers() > 0)
            targets.push_back(std::move(target));
    };
    add(grid.id(), "Points");
    const hdf5::Group data = hdf5::open_group(grid.id(), "PointData");
    for (const std::string& name : hdf5::names_in(data))
        add(data.id(), name);
    return targets;
}

void check_disk(const SnapshotCopy& copy, const std::vector<Target>& targets) {
    double bytes = 0.0;
    for (const Target& target : targets)
        bytes += static_cast<double>(target.extent.numbers() * sizeof(double));
    const std::optional<double> available = free_disk_space(copy.file);
    if (available && bytes > *available) {
        refuse(copy.result, fmt::format("the snapshots take {}; its disk has {} free; leave out "
                                        "--copy for a small file that refers to the history",
                                        bytes_text(bytes), bytes_text(*available)));
    }
}

void broadcast(ranks::Communicator& ranks, std::vector<Target>& targets) {
    std::uint64_t count = targets.size();
    ranks.broadcast(count);
    targets.resize(count);
    for (Target& target : targets) {
        ranks.broadcast(target.source);
        ranks.broadcast(target.extent);
    }
}

/// All ranks must read the file of the first one: a node may have its own file of this name. The
/// number of a device differs from node to node, that of a file on it does not.
void check_history(ranks::Communicator& ranks, const std::string& history) {
    const FileIdentity own = identity_of(std::filesystem::path(history));
    FileIdentity of_first = own;
    ranks.broadcast(of_first);
    ranks::collective(&ranks, [&] {
        if (own.number == of_first.number) return;
        throw InputError(
            fmt::format("{}: rank {} does not see the file of rank 0 there; all ranks "
                        "need one file system, in the same folder",
                        history, ranks.rank()));
    });
}

/// A history that is complete, or that grows.
hdf5::File open_history(const std::string& path) {
    try {
        return hdf5::open_to_read(path);
    } catch (const std::runtime_error&) {
        return hdf5::open_while_growing(path);
    }
}

/// The result of `action`. Its errors begin with the name of the history.
template <class Action>
auto reading(const std::string& history, const Action& action) {
    try {
        return action();
    } catch (const std::runtime_error& error) {
        throw InputError(fmt::format("{}: {}", history, error.what()));
    }
}

class Copier {
  public:
    Copier(const SnapshotCopy& copy, const ParallelFile& file)
        : copy_(copy),
          file_(file),
          history_(reading(copy.history, [&] { return open_history(copy.history); })) {}

    /// Copies the pieces of a target whose numbers are first, ..., end - 1.
    void operator()(const Target& target, std::uint64_t first, std::uint64_t end) {
        if (first >= end) return;
        const hdf5::Dataset source = reading(
            copy_.history, [&] { return hdf5::open_dataset(history_.id(), target.source); });
        for (std::uint64_t number = first; number < end; ++number) {
            if (copy_.stop()) throw std::runtime_error("interrupted; nothing was written");
            const Piece piece = target.extent.piece(number);
            reading(copy_.history, [&] { read(source, target.extent, piece); });
            file_.write<double>(target.extent.place_of(piece), numbers_);
        }
    }

  private:
    void read(const hdf5::Dataset& source, const Extent& extent, const Piece& piece) {
        std::vector<hsize_t> count = hdf5::shape_of(source), first(count.size(), 0);
        if (count.size() < 2)
            throw std::runtime_error("a dataset of snapshots is not rows of items");
        first[0] = piece.row, first[1] = extent.first_item + piece.item;
        count[0] = piece.rows, count[1] = piece.items;
        numbers_.resize(piece.rows * piece.items * extent.width);
        hdf5::read_block(source, first, count, numbers_);
    }

    const SnapshotCopy& copy_;
    const ParallelFile& file_;
    hdf5::File history_;
    std::vector<double> numbers_;
};

}  // namespace

void copy_snapshots(ranks::Communicator& ranks, const SnapshotCopy& copy) {
    std::vector<Target> targets;
    ranks::collective(&ranks, [&] {
        if (!ranks.first()) return;
        targets = targets_in(copy.file);
        check_disk(copy, targets);
    });
    broadcast(ranks, targets);
    check_history(ranks, copy.history);
    const ParallelFile file(ranks, copy.result, copy.file.string());
    ranks::collective(&ranks, [&] {
        std::uint64_t all = 0;
        for (const Target& target : targets)
            all += target.extent.pieces();
        const auto rank = static_cast<std::uint64_t>(ranks.rank()),
                   count = static_cast<std::uint64_t>(ranks.count());
        const std::uint64_t begin = all * rank / count, end = all * (rank + 1) / count;
        Copier copier(copy, file);
        std::uint64_t before = 0;  // pieces of earlier targets
        for (const Target& target : targets) {
            const std::uint64_t pieces = target.extent.pieces();
            const auto within = [&](std::uint64_t number) {
                return std::clamp(number, before, before + pieces) - before;
            };
            copier(target, within(begin), within(end));
            before += pieces;
        }
        if (begin < end) file.sync();
    });
}

}  // namespace beadwave::io
