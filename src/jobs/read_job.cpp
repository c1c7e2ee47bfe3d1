#include "jobs/read_job.hpp"

#include "beadwave/input_error.hpp"
#include "io/scenario/case_reader.hpp"
#include "io/toml/toml_document.hpp"
#include "jobs/collision_job.hpp"
#include "jobs/subject.hpp"
#include "ranks/agreement.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace beadwave::jobs {
namespace {

/// The subject of a scenario: the one whose table it has, otherwise the first one.
const Announcement& subject_of(const io::TomlTable& root) {
    const std::span<const Announcement> all = announced_subjects();
    // Later ones first: a table of beads or particles does not make a chain of a mechanism.
    for (auto subject = all.rbegin(); subject != all.rend(); ++subject) {
        if (!subject->table.empty() && root.has(subject->table)) return *subject;
    }
    return all.front();
}

std::unique_ptr<Job> job_of(io::TomlDocument document, io::NamedFiles files,
                            ranks::Communicator* ranks = nullptr,
                            const stepping::TimeStep* time_step = nullptr) {
    const io::TomlTable root = document.root();
    if (io::is_case(document)) {
        document.origin.fail(root.has("body")      ? "body"
                             : root.has("contact") ? "contact"
                                                   : "impact",
                             "makes this a collision case, for `beadwave collide` and `beadwave "
                             "sweep`");
    }
    if (const Announcement* const collided = collided_by(root)) {
        document.origin.fail(collided->collides,
                             "without [time] makes this a collision case, for `beadwave collide`; "
                             "a scenario has [time] with end, in s");
    }
    for (const Announcement& each : announced_subjects()) {
        if (each.command.empty() || !root.has_table(each.name)) continue;
        document.origin.fail(each.name,
                             fmt::format("is no part of a scenario; {} are for `beadwave {}`",
                                         each.plural, each.command));
    }
    const Announcement& announced = subject_of(root);
    const auto refuse = [&](const std::string& why) {
        document.origin.fail(announced.table,
                             fmt::format("makes this a {}, {}", announced.name, why));
    };
    const Subject* const subject = find_subject(announced.name);
    if (subject == nullptr) refuse("and " + built_without(announced));
    if (!subject->devices && root.has("device")) {
        document.origin.fail(
            "device", fmt::format("only packings choose a device, and this is a {}; expected none",
                                  announced.name));
    }
    const bool shared = ranks != nullptr && !ranks->alone();
    if (shared && !subject->shareable) {
        refuse(
            fmt::format("which {} processes cannot share; chains and packings can be shared, "
                        "and sweeps and fits of any system",
                        ranks->count()));
    }
    return subject->make_job({.document = std::move(document),
                              .files = std::move(files),
                              .ranks = shared ? ranks : nullptr,
                              .time_step = time_step});
}

}  // namespace

void require_same_files(ranks::Communicator& ranks,
                        const std::map<std::string, std::string>& file_texts) {
    // One fact, because the ranks may have read different files.
    std::string all;
    for (const auto& [key, text] : file_texts)
        all += fmt::format("{} {}\n{}", key, text.size(), text);
    ranks::require_same(ranks, {{"content of a file that the scenario names", all, false}});
}

std::unique_ptr<Job> read_job(const std::filesystem::path& file,
                              std::span<const std::string> overrides, ranks::Communicator* ranks) {
    return job_of(io::load_toml(file, overrides), io::NamedFiles::relative_to(file), ranks);
}

std::unique_ptr<Job> read_job_text(const std::string& text, const std::string& name,
                                   const std::filesystem::path& folder,
                                   std::span<const std::string> overrides,
                                   const std::map<std::string, std::string>& files) {
    return job_of(io::parse_toml(text, name, overrides),
                  files.empty() ? io::NamedFiles::relative_to(folder / name)
                                : io::NamedFiles::from_texts(files));
}

std::unique_ptr<Job> read_job(const io::CheckpointFile& checkpoint,
                              const std::filesystem::path& name, ranks::Communicator* ranks,
                              std::span<const std::string> overrides) {
    return job_of(io::parse_toml(checkpoint.scenario_text(), name.string(), overrides),
                  io::NamedFiles::from_texts(checkpoint.file_texts()), ranks);
}

std::filesystem::path resumed_history(const io::CheckpointFile& checkpoint,
                                      const std::filesystem::path& name,
                                      const std::filesystem::path& wanted) {
    std::filesystem::path history = wanted.empty() ? checkpoint.history().history : wanted;
    std::error_code ignored;
    if (std::filesystem::equivalent(history, name, ignored)) {
        throw InputError(
            fmt::format("{}: is the checkpoint itself; give the path of the history with -o",
                        history.string()));
    }
    return history;
}

struct JobFile::Document : io::TomlDocument {
    std::filesystem::path file;
};

JobFile::JobFile(const std::filesystem::path& file, std::span<const std::string> overrides)
    : document_(std::make_unique<Document>(Document{io::load_toml(file, overrides), file})) {}

JobFile::JobFile(const std::string& text, const std::string& name,
                 const std::filesystem::path& folder, std::span<const std::string> overrides)
    : document_(std::make_unique<Document>(
          Document{io::parse_toml(text, name, overrides), folder / name})) {}

JobFile::~JobFile() = default;

const std::string& JobFile::text() const {
    return document_->text;
}

std::optional<double> JobFile::number(const std::string& key) const {
    const toml::node* node = document_->table.get();
    for (std::size_t from = 0; node != nullptr && from <= key.size();) {
        const std::size_t to = std::min(key.find('.', from), key.size());
        const std::string part = key.substr(from, to - from);
        from = to + 1;
        std::size_t index = 0;
        const char* const end = part.data() + part.size();
        const auto [stop, error] = std::from_chars(part.data(), end, index);
        if (const toml::table* table = node->as_table()) {
            node = table->get(part);
        } else if (node->is_array() && error == std::errc{} && stop == end) {
            node = node->as_array()->get(index);
        } else {
            return std::nullopt;
        }
    }
    if (node == nullptr || !node->is_number()) return std::nullopt;
    return node->value<double>();
}

std::unique_ptr<Job> JobFile::variant(std::span<const std::string> settings,
                                      const stepping::TimeStep* time_step) const {
    io::TomlDocument document = io::variant_of(*document_, settings);
    io::NamedFiles files = io::NamedFiles::relative_to(document_->file);
    if (io::is_case(document)) {
        return std::make_unique<CollisionJob>(io::read_case(document, std::move(files)),
                                              document.origin);
    }
    return job_of(std::move(document), std::move(files), nullptr, time_step);
}

}  // namespace beadwave::jobs
