#include "jobs/subject.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwave::jobs {
namespace {

std::vector<Subject>& registered() {
    static std::vector<Subject> subjects;
    return subjects;
}

std::span<const Announcement>& announced() {
    static std::span<const Announcement> all;
    return all;
}

}  // namespace

RegisterSubject::RegisterSubject(const Subject& subject) {
    registered().push_back(subject);
}

AnnounceSubjects::AnnounceSubjects(std::span<const Announcement> all) {
    announced() = all;
}

std::span<const Announcement> announced_subjects() {
    return announced();
}

const Subject* find_subject(std::string_view name) {
    const auto found = std::ranges::find(registered(), name, &Subject::name);
    return found == registered().end() ? nullptr : &*found;
}

const Announcement* collided_by(const io::TomlTable& root) {
    const auto found = std::ranges::find_if(announced(), [&](const Announcement& each) {
        return !each.collides.empty() && root.has(each.collides) && !root.has_table(each.collides);
    });
    return found == announced().end() || root.has("time") ? nullptr : &*found;
}

std::string built_without(const Announcement& subject) {
    return fmt::format(
        "this beadwave was built without {}; `./dev build` in its source tree builds all of it",
        subject.plural);
}

}  // namespace beadwave::jobs
