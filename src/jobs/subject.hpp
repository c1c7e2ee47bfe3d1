// The subjects of the program: chains, packings, fits, ... Each is a part that registers itself;
// the program runs with those that are linked into it, and knows the others by announcement.
#pragma once

#include "io/scenario/named_files.hpp"
#include "io/toml/toml_document.hpp"
#include "jobs/collision_report.hpp"
#include "jobs/job.hpp"
#include "ranks/communicator.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::jobs {

/// A scenario that was read as TOML, and how it will run.
struct JobInput {
    io::TomlDocument document;
    io::NamedFiles files;
    ranks::Communicator* ranks;           ///< that share the job; null: one process
    const stepping::TimeStep* time_step;  ///< chosen before for the same job; null: not yet
};

/// What a subject says of itself where it registers: its name, and how it reads scenarios.
struct Subject {
    std::string_view name;                     ///< as announced
    std::vector<io::Key> (*keys)() = nullptr;  ///< of its scenarios; null: it has none
    /// Reads and checks everything. Throws InputError.
    std::unique_ptr<Job> (*make_job)(JobInput input) = nullptr;
    /// Reads and computes a collision case; null: it has none. `with_trajectory`: also fills that.
    /// Throws InputError, and std::runtime_error if the bodies do not separate.
    CollisionReport (*collide)(io::TomlDocument document, io::NamedFiles files,
                               bool with_trajectory) = nullptr;
    bool shareable = true;  ///< several processes can share a job
    bool devices = false;   ///< its scenarios choose a device
};

/// Known to every build, in the order of lists.
struct Announcement {
    std::string_view name;     ///< "packing"
    std::string_view plural;   ///< "packings"
    std::string_view table;    ///< a scenario with this table belongs to it; empty: it has none
    std::string_view command;  ///< of the command line; empty: none of its own
    /// A collision case with a list of tables of this name belongs to it; empty: none. With [time]
    /// it is the scenario of another subject.
    std::string_view collides{};
};

/// Registers when it is constructed, before main().
struct RegisterSubject {
    explicit RegisterSubject(const Subject& subject);
};
struct AnnounceSubjects {
    explicit AnnounceSubjects(std::span<const Announcement> all);
};

std::span<const Announcement> announced_subjects();
/// Null: it is not part of this build.
const Subject* find_subject(std::string_view name);

/// The subject whose collision case this file is; null: none.
const Announcement* collided_by(const io::TomlTable& root);

/// "this beadwave was built without packings; ..." with what makes a complete one.
std::string built_without(const Announcement& subject);

}  // namespace beadwave::jobs
