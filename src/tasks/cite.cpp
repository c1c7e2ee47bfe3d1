#include "tasks/cite.hpp"

#include "beadwave/input_error.hpp"
#include "beadwave/laws/catalogue.hpp"
#include "beadwave/laws/line_catalogue.hpp"
#include "beadwave/laws/restitution.hpp"
#include "io/scenario/case_reader.hpp"
#include "io/toml/toml_document.hpp"
#include "jobs/read_job.hpp"
#include "laws/listed_laws.hpp"
#include "laws/references.hpp"
#include "tasks/laws_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include <algorithm>
#include <iterator>

namespace beadwave::tasks {
namespace {

using laws::Reference;

// As in CITATION.cff; a test compares them.
constexpr const char* own_authors = "The beadwave authors";
constexpr const char* own_title =
    "beadwave: solitary waves and impacts in chains, packings and mechanisms of bodies that touch";

/// "A and B and C" as "A, B, C".
std::string with_commas(std::string_view authors) {
    std::string text(authors);
    for (std::size_t at = text.find(" and "); at != std::string::npos; at = text.find(" and ", at))
        text.replace(at, 5, ", ");
    return text;
}

std::string in_words(const Reference& paper) {
    std::string place = fmt::format("{}{}", paper.in_book ? "in " : "", paper.where);
    if (!paper.volume.empty()) place += fmt::format(" {}", paper.volume);
    if (!paper.number.empty()) place += fmt::format("({})", paper.number);
    std::string text = fmt::format("{}: {}. {}, {} ({})", with_commas(paper.authors), paper.title,
                                   place, paper.pages, paper.year);
    if (!paper.doi.empty()) text += fmt::format(", doi:{}", paper.doi);
    return text;
}

std::string as_bibtex(const Reference& paper) {
    std::string text =
        fmt::format("@{}{{{},\n", paper.in_book ? "incollection" : "article", paper.key);
    const auto field = [&](const char* name, std::string_view value) {
        if (!value.empty()) text += fmt::format("  {} = {{{}}},\n", name, value);
    };
    field("author", paper.authors);
    field("title", fmt::format("{{{}}}", paper.title));
    field(paper.in_book ? "booktitle" : "journal", paper.where);
    field("volume", paper.volume);
    field("number", paper.number);
    std::string pages(paper.pages);
    if (const auto dash = pages.find('-'); dash != std::string::npos) pages.insert(dash, "-");
    field("pages", pages);
    field("year", std::to_string(paper.year));
    field("doi", paper.doi);
    return text + "}\n";
}

class Collector {
  public:
    /// Which laws of a name are meant: a law of points and one of lines may share it.
    enum class Contacts { all, points, lines };

    /// Throws InputError for an unknown name.
    void law(const std::string& given, Contacts contacts = Contacts::all) {
        std::string name = given, source = laws::other_source(given);
        const auto from = [&](const auto* entry) {
            if (entry == nullptr) return;
            name = entry->name;  // not the alias
            source += (source.empty() ? "" : "; ") + std::string(entry->source);
        };
        const auto* const points = laws::find(given);
        const auto* const lines = laws::find_line(given);
        if (contacts != Contacts::lines || lines == nullptr) from(points);
        if (contacts != Contacts::points || points == nullptr) from(lines);
        // A law and the formula of its restitution may have one name; a run uses the law.
        if (source.empty()) from(laws::find_restitution_formula(given));
        if (source.empty()) from(laws::find_listed(given));
        if (source.empty()) check_catalogued(given);
        const bool known =
            std::ranges::any_of(found_.laws, [&](const CitedLaw& law) { return law.name == name; });
        if (known) return;
        found_.laws.push_back({.name = name, .source = source});
        for (const Reference* paper : laws::references_in(source)) {
            if (std::ranges::find(found_.papers, paper) == found_.papers.end())
                found_.papers.push_back(paper);
        }
    }

    /// The laws of a scenario or a collision case.
    void file(const std::string& name) {
        const io::TomlDocument document = io::load_toml(name, {});
        // What is not valid must not be cited.
        const toml::table& table = *document.table;
        if (table.contains("speed")) {
            io::read_case(name, {});
        } else {
            jobs::read_job(name);
        }
        root_law_ = table.at_path("law.name").value_or(std::string());
        tables(table, "");
    }

    Citations take() { return std::move(found_); }

  private:
    /// Whether the law beside these keys is one of cylinders that touch along lines.
    static bool along_lines(const toml::table& table) {
        const bool crossed = table.at_path("segment[0].angle").value_or(0.0) != 0.0;
        const toml::array* const segments = table.get_as<toml::array>("segment");
        const bool cylinders =
            segments != nullptr && std::ranges::all_of(*segments, [](const toml::node& each) {
                return each.is_table() && each.as_table()->contains("length");
            });
        return table.contains("length") || table.at_path("body.a.length") ||
               table.at_path("particles[0].length") || (cylinders && !crossed);
    }

    /// The friction of a contact of a mechanism has a default law. That of joints and of pairs of
    /// materials has no law of its own.
    bool has_ambrosio(const toml::table& contact) const {
        const std::string law = contact.at_path("law.name").value_or(root_law_);
        return law != "impulse";  // Coulomb's alone
    }

    /// A key `law` holds a table of a normal law, or the name of a friction law. `where`: the key
    /// that holds the table.
    void tables(const toml::table& table, std::string_view where) {
        for (const auto& [key, node] : table) {
            if (key == "law") {
                of_law(node, along_lines(table) ? Contacts::lines : Contacts::points);
            }
            if (where == "contact" && key == "friction" && node.is_table() &&
                !node.as_table()->contains("law") && has_ambrosio(table))
                law("ambrosio");
            const bool resists = (key == "rolling" || key == "twisting") && node.is_table() &&
                                 (*node.as_table())["coefficient"].value_or(0.0) > 0.0;
            if (resists) law("rolling");
            if (const toml::table* inner = node.as_table()) tables(*inner, key.str());
            if (const toml::array* list = node.as_array()) {
                for (const toml::node& item : *list)
                    if (const toml::table* inner = item.as_table()) tables(*inner, key.str());
            }
        }
    }

    void of_law(const toml::node& node, Contacts contacts) {
        std::vector<std::string> names;
        if (node.is_string()) names.push_back(node.value_or(std::string()));
        if (const toml::table* table = node.as_table()) {
            for (const char* key : {"name", "damping"})  // damping: the factor of a line law
                if ((*table)[key].is_string())
                    names.push_back((*table)[key].value_or(std::string()));
        }
        for (const std::string& name : names)
            if (name != "none") law(name, contacts);
    }

    Citations found_;
    std::string root_law_;  // name in [law], if there is one
};

}  // namespace

std::string Citations::text() const {
    std::string text;
    const auto out = std::back_inserter(text);
    for (const CitedLaw& law : laws)
        fmt::format_to(out, "{:<26}{}\n", law.name, law.source);
    if (!laws.empty()) text += "\n";
    for (const Reference* paper : papers)
        fmt::format_to(out, "{}\n    {}\n", paper->key, in_words(*paper));
    fmt::format_to(out, "beadwave\n    {}: {}. Version {}\n", own_authors, own_title,
                   BEADWAVE_VERSION);
    return text;
}

std::string Citations::bibtex() const {
    std::string text;
    for (const Reference* paper : papers)
        text += as_bibtex(*paper);
    return text + fmt::format(
                      "@software{{beadwave,\n  author = {{{{{}}}}},\n  title = {{{{{}}}}},\n"
                      "  version = {{{}}},\n}}\n",
                      own_authors, own_title, BEADWAVE_VERSION);
}

nlohmann::ordered_json Citations::json() const {
    using nlohmann::ordered_json;
    ordered_json json{{"laws", ordered_json::array()}, {"papers", ordered_json::array()}};
    for (const CitedLaw& law : laws) {
        ordered_json keys = ordered_json::array();
        for (const Reference* paper : laws::references_in(law.source))
            keys.push_back(paper->key);
        json["laws"].push_back({{"name", law.name}, {"source", law.source}, {"papers", keys}});
    }
    for (const Reference* paper : papers) {
        ordered_json one{{"key", paper->key},     {"authors", with_commas(paper->authors)},
                         {"title", paper->title}, {"where", paper->where},
                         {"year", paper->year},   {"pages", paper->pages}};
        for (const auto& [name, value] :
             {std::pair("volume", paper->volume), {"number", paper->number}, {"doi", paper->doi}})
            if (!value.empty()) one[name] = value;
        json["papers"].push_back(std::move(one));
    }
    json["beadwave"] = {
        {"authors", own_authors}, {"title", own_title}, {"version", BEADWAVE_VERSION}};
    return json;
}

Citations cite(std::span<const std::string> names) {
    Collector collector;
    for (const std::string& name : names)
        name.ends_with(".toml") ? collector.file(name) : collector.law(name);
    return collector.take();
}

}  // namespace beadwave::tasks
