// The bodies and pairs of a packing on a device: copies of what the fast engine holds, and its
// step. The engine builds lists, and answers all questions, from its own memory; between two lists
// the device goes ahead with steps.
#pragma once

#include "device/device.hpp"
#include "list_arguments.hpp"
#include "packing/fast/block_share.hpp"
#include "packing/fast/contact_memory.hpp"
#include "packing/fast/law_table.hpp"
#include "packing/fast/pair_entries.hpp"
#include "packing/neighbours/neighbour_list.hpp"
#include "step_arguments.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::packing {

/// A list of numbers on a device, which keeps its memory when it becomes shorter.
template <class T>
class DeviceList {
  public:
    /// Returns whether the numbers are new ones, which are not set.
    bool resize(device::Device& on, std::size_t count) {
        const bool grows = count > memory_.size();
        if (grows) {
            memory_ = {};  // both would not fit
            memory_ = device::Array<T>(on, count + count / 8);
        }
        count_ = count;
        return grows;
    }
    void assign(device::Device& on, std::span<const T> from) {
        resize(on, from.size());
        on.upload(memory_.data(), from.data(), from.size_bytes());
    }
    T* data() const { return memory_.data(); }
    std::size_t size() const { return count_; }

  private:
    device::Array<T> memory_;
    std::size_t count_ = 0;
};

class DevicePairs {
  public:
    /// The lines of the fast engine. `now`: what the next step reads; after the last step of an
    /// advance `next.half` gets the changes of the velocities.
    struct HostLines {
        Lines now, next;
        std::span<double> rolling_work;
    };
    struct List {
        std::size_t particles;
        std::span<const Ghost> ghosts;
        const PairEntries& entries;
        const LawTable& table;
        std::span<const double> kick, angular_kick;
        bool strains;  ///< the box; there the forces on images count, and are added last
        std::span<const double> reach;      ///< of FarReach; empty: no particle is fast
        std::span<const std::uint32_t> id;  ///< the numbers of the particles
    };
    struct Step {
        bool last;
        double time_step, sliding_step;  ///< [s]
        std::array<double, line> gravity_change;
        bool power;        ///< whether to add the contacts' power
        bool wall_forces;  ///< whether anybody asks for ghost_forces()
    };
    struct Found {
        Extent extent;    ///< of the new displacements, but those of fast particles
        double deepest;   ///< the largest overlap times (1/R_1 + 1/R_2), or 0
        double farthest;  ///< FarReach::farthest() of all [m]
    };

    /// `law`: number in on_device::DeviceLaws. `slider`: index in laws::AnySlider. `predicted`:
    /// there are predicted velocities.
    DevicePairs(std::unique_ptr<device::Device> device, std::size_t law, std::size_t slider,
                const KeptOfContacts& kept, bool velocities, bool predicted);

    /// The device has newer lines and memory than the engine.
    bool is_ahead() const { return ahead_; }
    /// The engine has a new list or new memory of contacts, which the next step takes.
    void mark_stale() { stale_ = true; }
    /// Only the memory of contacts is new.
    void mark_memory_stale() { memory_stale_ = true; }

    /// Takes what the next step needs from the engine.
    void take(const List& list, const HostLines& lines, ContactMemory& memory);
    /// Gives it back, except the lines of ghosts.
    void give(const HostLines& lines, ContactMemory& memory);
    /// Gives back only the places of the particles.
    void give_places(double* place) const;
    /// Gives back only their velocities.
    void give_velocities(double* half) const;

    Found step(const Step& step);
    /// The places and velocities that the last step has found become the present ones, those of
    /// images too.
    void flip();

    // Ghosts of walls, which the engine finds. They are numbered in the order of the engine's list,
    // where they are the last ghosts.

    /// The present displacements of the particles with such ghosts, into their lines.
    void give_wall_particles(double* place);
    /// The lines of these ghosts, from `first` on; then what swap_memory() has noted.
    void take_wall_ghosts(const Lines& lines, std::size_t first);
    /// Swaps the memory of two of them before the next step.
    void swap_memory(std::size_t one, std::size_t two);

    /// The pairs whose force on a ghost counts, by block, then entry: those with walls, and with
    /// images in a box that strains; each once.
    struct GhostPair {
        std::uint32_t first;  ///< particle
        std::uint32_t ghost;  ///< of walls: among their ghosts; else among all
    };
    std::span<const GhostPair> ghost_pairs() const { return ghost_pairs_; }
    /// The force on the ghost of each of these pairs in the last step [N], three numbers.
    std::span<const double> ghost_forces();

    // Lists that the device builds itself.

    /// The settings that stay the same from list to list; those of particles by their numbers.
    struct ListSettings {
        std::vector<std::uint8_t> flags;  ///< 1: held, 2: absent
        std::vector<std::uint32_t> kind;  ///< empty: all are of one
        std::vector<std::uint32_t> row_of_kinds;
        std::uint32_t kinds = 1;
        double skin = 0.0, largest_radius = 0.0;  ///< [m]
        Box box{};
    };
    /// A new order of the particles, and what the engine has found.
    struct NewOrder {
        std::span<const std::uint32_t> id, slot_of, old_slot_of;
        Lines lines;  ///< of places those of particles, of walls' ghosts, all
        std::span<const std::uint32_t> wall_begin;  ///< of each particle, and the end
        std::span<const on_device::WallSide> wall_sides;
        std::vector<std::uint32_t> wall_particles;  ///< of each ghost
        std::vector<GhostPair> ghost_pairs;         ///< by force row
    };
    void build_lists_by(ListSettings settings);
    void set_flags(std::vector<std::uint8_t> flags);
    bool builds_lists() const { return builds_lists_; }
    /// The present list is the device's own, and the engine has none.
    bool has_own_list() const { return own_list_; }
    /// The deepest contact with a wall over the radius.
    double deepest_at_walls();
    /// Builds a list; false: it could not, and nothing has changed.
    bool build_list(const NewOrder& order);
    /// The engine has built the same list: what belongs to its entries from now on.
    void adopt(const List& list, PairEntries& entries);

    /// Particles whose force and velocity steps give; none: an empty span.
    void trace(std::span<const std::uint32_t> bodies);
    /// Force [N] and velocity in the middle of the step [m/s] of each traced particle.
    std::span<const double> traced();

    std::string device_name() const { return device_->name(); }

  private:
    struct HostSides;
    HostSides find_sides(const List& list);
    void count_sides(const List& list, HostSides& made);
    void lay_out_sides(const List& list, HostSides& made);
    void fill_sides(const List& list, HostSides& made);
    void take_list(const List& list);
    on_device::ListArguments list_arguments(const NewOrder& order);
    bool find_rows(on_device::ListArguments& a);
    void sum_counts(on_device::ListArguments& a, const NewOrder& order);
    void point_to_rows(on_device::ListArguments& a, const NewOrder& order, std::uint32_t externals);
    void move_lines(const on_device::ListArguments& a);
    void take_memory(ContactMemory& memory);
    void give_memory(ContactMemory& memory);
    template <class Arguments>
    void launch(device::KernelHandle kernel, std::size_t threads, const Arguments& arguments) {
        if (threads > 0) device_->launch(kernel, threads, &arguments, sizeof arguments);
    }
    void flush(double* column, std::size_t numbers);
    void inspect_all();
    void copy_images();
    on_device::BodyColumns columns(std::size_t side) const;
    on_device::Sides sides(bool last) const;

    std::unique_ptr<device::Device> device_;
    KeptOfContacts kept_;
    bool velocities_, has_predicted_;
    device::KernelHandle step_, delicate_step_, inspect_, copy_images_, flush_, gather_, scatter_,
        swap_;
    bool stale_ = true, memory_stale_ = true, ahead_ = false;
    std::size_t particles_ = 0, bodies_ = 0, now_ = 0, results_now_ = 0;

    std::array<DeviceList<double>, 2> place_, half_, predicted_;
    DeviceList<double> kick_, angular_kick_, rolling_work_;
    DeviceList<std::uint32_t> slice_begin_, count_, other_, self_, row_;
    DeviceList<double> gap_;
    std::vector<DeviceList<double>> memory_;  // as ContactMemory::columns()
    std::vector<DeviceList<double>> parameters_;
    on_device::Parameters parameter_table_{};
    bool single_row_ = false;
    DeviceList<std::uint32_t> image_, image_of_, wall_of_, wall_body_, swapped_;
    DeviceList<double> reach_, wall_places_, wall_lines_, ghost_force_, trace_;
    DeviceList<std::uint32_t> trace_number_;
    std::array<DeviceList<std::int64_t>, 2> results_;
    std::array<DeviceList<std::uint8_t>, 2> delicate_;  // of each body
    DeviceList<std::uint32_t> delicate_particles_;
    std::array<DeviceList<std::uint32_t>, 2> delicate_count_;

    // Data of the present list, on the host.
    std::vector<std::uint32_t> entry_;    // of each side; none: padding
    std::vector<std::uint32_t> side_of_;  // of walls' ghosts
    std::vector<std::uint32_t> swaps_;
    std::vector<char> gives_;  // whether this side of the entry gives its memory back
    std::vector<std::uint32_t> wall_ghosts_, wall_particles_;  // bodies
    std::vector<GhostPair> ghost_pairs_;
    std::vector<std::uint32_t> traced_list_;
    std::vector<double> staging_, wall_staging_, ghost_forces_, traced_;

    // Lists of its own; see device_list.cpp.
    struct Lists;
    struct FreeLists {
        void operator()(Lists* lists) const;
    };
    std::unique_ptr<Lists, FreeLists> lists_;
    ListSettings list_settings_;
    bool builds_lists_ = false, own_list_ = false, any_far_ = false;
    DeviceList<std::uint32_t> partner_;
    DeviceList<std::uint64_t> image_number_;
};

}  // namespace beadwave::packing
