#include "subjects/mechanism/mechanism_wear_table.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace beadwave::io {
namespace {

using mechanism::Contact;
using mechanism::Mechanism;
using mechanism::Wear;

/// What [wear] gives to all contacts.
struct SharedWear : Wear {
    std::size_t bins = 0;
    double update_depth = 0.0;
};

template <class W>
Table<W> wear_rows(const char* coefficient_otherwise, const char* hardness_otherwise,
                   const char* pin_otherwise) {
    const auto otherwise = [](Key key, const char* value) {
        return value == nullptr ? std::move(key).needed() : std::move(key).otherwise(value);
    };
    Table<W> t;
    t.add(
        "coefficient", otherwise(above_zero("-"), coefficient_otherwise),
        [](W & wear) -> auto& { return wear.law.coefficient; }, "wear coefficient");
    t.add(
        "hardness", otherwise(above_zero("Pa"), hardness_otherwise),
        [](W & wear) -> auto& { return wear.law.hardness; }, "hardness of the surface that wears");
    t.add("pin_hardness", above_zero("Pa").otherwise(pin_otherwise), &W::pin_hardness,
          "of the pin of a journal, which then wears too");
    return t;
}

const char* const width_meaning =
    "of the bearing of a journal across the plane, for the depth of its wear";

const Table<SharedWear>& shared_table() {
    static const Table<SharedWear> all = [] {
        Table<SharedWear> t;
        t.add(
            "law", words({"archard"}).needed(),
            [](SharedWear & wear) -> auto& { return wear.law.law; },
            "worn volume = coefficient / hardness * normal force * sliding distance");
        t.include(wear_rows<SharedWear>(nullptr, nullptr, "no wear of the pin"));
        t.add("width", above_zero("m").otherwise("`length` of the journal"), &SharedWear::width,
              width_meaning);
        t.add("bins", whole(1, 3600).otherwise("no depth"), &SharedWear::bins,
              "equal parts of the circle, for which the history has the depth of the wear of the "
              "bearings of journals");
        return t.add("update_depth", above_zero("m").otherwise("bearings stay round"),
                     &SharedWear::update_depth,
                     "the [shape of bearings](DISSIPATION.md#bearings-that-change-their-shape) "
                     "follows their wear, anew whenever a part has become this much deeper; needs "
                     "`bins`");
    }();
    return all;
}

const Table<Wear>& contact_wear_table() {
    static const Table<Wear> all = [] {
        Table<Wear> t =
            wear_rows<Wear>("`wear.coefficient`", "`wear.hardness`", "`wear.pin_hardness`");
        return t.add("width", above_zero("m").otherwise("`length`, otherwise `wear.width`"),
                     &Wear::width, width_meaning);
    }();
    return all;
}

bool is_journal(const Contact& contact) {
    return std::holds_alternative<mechanism::Journal>(contact.geometry);
}

void read_wear_of(const TomlTable& table, const std::optional<SharedWear>& shared, Contact& contact,
                  Reading& reading) {
    const auto own = table.table("wear");
    if (!own && !shared) return;
    Wear wear;
    if (shared) wear = *shared;
    // Only a journal has a width, and its length is one.
    const auto* journal = std::get_if<mechanism::Journal>(&contact.geometry);
    if (journal == nullptr || journal->length) wear.width.reset();
    if (journal == nullptr) wear.pin_hardness.reset();
    if (own) {
        contact_wear_table().read(*own, wear, reading);
        if (wear.width && journal != nullptr && journal->length)
            own->fail("width", "cannot be given together with length, which is this width");
        for (const char* key : {"coefficient", "hardness"}) {
            if (!shared && !own->has(key))
                own->fail(key, "missing; give it here, or to all contacts in [wear]");
        }
    }
    contact.wear = wear;
}

}  // namespace

Key wear_key() {
    Key key = plain("wear", Kind::table,
                    "the [wear](DISSIPATION.md#wear-in-joints) of each contact, in every sample");
    key.children = shared_table().keys();
    return key;
}

Key wear_of_contact_key() {
    Key key = plain("wear", Kind::table, "wear of this contact, in place of `[wear]`");
    key.children = contact_wear_table().keys();
    return key;
}

void read_wear(const TomlDocument& document, Mechanism& mechanism, Reading& reading) {
    const TomlTable root = document.root();
    std::optional<SharedWear> shared;
    if (const auto table = root.table("wear")) {
        shared_table().read(*table, shared.emplace(), reading);
        mechanism.wear_bins = shared->bins;
        mechanism.wear_update_depth = shared->update_depth;
    }
    const auto tables = root.tables("contact").value_or(std::vector<TomlTable>{});
    for (std::size_t i = 0; i < tables.size(); ++i)
        read_wear_of(tables[i], shared, mechanism.contacts[i], reading);
    if (mechanism.wear_bins == 0) {
        constexpr const char* no_depth = "it is for the depth, which wear.bins asks for";
        for (const TomlTable& table : tables) {
            const auto own = table.table("wear");
            if (own && own->has("width")) reading.no_effect(own->key("width"), no_depth);
        }
        if (shared && shared->width && std::ranges::any_of(mechanism.contacts, is_journal))
            reading.no_effect(root.table("wear")->key("width"), no_depth);
    }
    if (!shared) return;
    if (mechanism.contacts.empty())
        reading.warnings.emplace_back("wear has no effect: there is no contact");
    else if (std::ranges::none_of(mechanism.contacts, is_journal)) {
        for (const char* key : {"width", "bins", "pin_hardness", "update_depth"}) {
            if (root.table("wear")->has(key))
                reading.no_effect(root.table("wear")->key(key), "no contact is a journal");
        }
    }
}

}  // namespace beadwave::io
