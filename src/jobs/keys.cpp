#include "jobs/keys.hpp"

#include "io/scenario/case_reader.hpp"
#include "jobs/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace beadwave::jobs {
namespace {

using io::dotted;
using io::Key;
using io::Kind;

/// Calls `visit(key, its path, path of its table, the table)` for each key, tables first.
using Visit =
    std::function<void(const Key&, const std::string&, const std::string&, const Key* table)>;
void visit_all(const std::vector<Key>& keys, const std::string& above, const Key* table,
               const Visit& visit) {
    for (const Key& key : keys) {
        const std::string path = dotted(above, key.name);
        visit(key, path, above, table);
        if (!key.same_as.empty()) continue;
        const char* number = key.kind == Kind::tables         ? ".N"
                             : key.kind == Kind::named_tables ? ".NAME"
                                                              : "";
        visit_all(key.children, path + number, &key, visit);
    }
}

/// Headings of tables, such as [time], are not listed.
bool is_listed(const Key& key, const Key* table) {
    const bool list_inside = key.kind == Kind::tables && table != nullptr;
    return !key.from_catalogue &&
           (key.children.empty() || key.or_word || !key.same_as.empty() || list_inside);
}

}  // namespace

const std::vector<KindOfScenario>& kinds_of_scenarios() {
    static const std::vector<KindOfScenario> kinds = [] {
        std::vector<KindOfScenario> all;
        for (const Announcement& each : announced_subjects()) {
            const Subject* const subject = find_subject(each.name);
            if (subject != nullptr && subject->keys != nullptr)
                all.push_back({.name = each.name,
                               .table = each.collides.empty() ? each.table : each.collides,
                               .timeless = !each.collides.empty(),
                               .keys = subject->keys()});
        }
        all.push_back({.name = "collision", .table = "speed", .keys = io::case_keys()});
        return all;
    }();
    return kinds;
}

std::vector<ListedKey> listed_keys() {
    std::vector<ListedKey> listed;
    for (const KindOfScenario& kind : kinds_of_scenarios()) {
        std::string section;
        visit_all(
            kind.keys, "", nullptr,
            [&](const Key& key, const std::string& path, const std::string& above,
                const Key* table) {
                if (!key.section.empty()) section = key.section;
                if (!is_listed(key, table)) return;
                const bool optional =
                    table != nullptr && table->kind == Kind::table && !table->required;
                ListedKey line{.path = path,
                               .key = key,
                               .section = section,
                               .standard = key.standard_in(optional ? above : ""),
                               .meaning = key.only_with.empty()
                                              ? std::string(key.meaning)
                                              : fmt::format("{}: {}", key.only_with, key.meaning),
                               .kinds = {}};
                const auto same = std::ranges::find_if(listed, [&](const ListedKey& other) {
                    return other.path == line.path && other.meaning == line.meaning &&
                           other.standard == line.standard && other.key.range() == line.key.range();
                });
                ListedKey& place =
                    same == listed.end() ? listed.emplace_back(std::move(line)) : *same;
                place.kinds.push_back(kind.name);
            });
    }
    return listed;
}

std::vector<RetiredKey> retired_keys() {
    std::vector<RetiredKey> retired;
    for (const KindOfScenario& kind : kinds_of_scenarios()) {
        visit_all(kind.keys, "", nullptr,
                  [&](const Key& key, const std::string& path, const std::string&, const Key*) {
                      const std::string inside = key.kind == Kind::tables ? path + ".N" : path;
                      for (const auto& [old_name, new_name] : key.renamed_children) {
                          const bool elsewhere = new_name.find('.') != std::string_view::npos;
                          RetiredKey line{.old_key = dotted(inside, old_name),
                                          .new_key = elsewhere ? std::string(new_name)
                                                               : dotted(inside, new_name)};
                          if (std::ranges::find(retired, line.old_key, &RetiredKey::old_key) ==
                              retired.end())
                              retired.push_back(std::move(line));
                      }
                  });
    }
    return retired;
}

}  // namespace beadwave::jobs
