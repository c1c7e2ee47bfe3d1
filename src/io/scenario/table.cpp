#include "io/scenario/table.hpp"

#include <fmt/format.h>

namespace beadwave::io {
namespace {

void* moved(void* address, std::size_t bytes) {
    return static_cast<std::byte*>(address) + bytes;
}

void take_children(Key& key, const Rows& rows) {
    key.children = rows.keys();
    key.renamed_children = rows.renamed();
}

}  // namespace

struct Rows::Row {
    Key key;  ///< without a name: a rule
    Read read;
    std::size_t place = 0;  ///< of what `read` sets
};

struct Rows::Choice {
    Key kind;  ///< its name is empty if keys select the alternative; `meaning`: the message
    std::vector<Rows> alternatives;
    std::size_t place;
    Select select;

    std::string_view first_key(std::size_t i) const {
        return alternatives[i].rows_.front().key.name;
    }
};

Rows::Rows() = default;
Rows::Rows(const Rows&) = default;
Rows::Rows(Rows&&) noexcept = default;
Rows& Rows::operator=(const Rows&) = default;
Rows& Rows::operator=(Rows&&) noexcept = default;
Rows::~Rows() = default;

void Rows::add(Key key, const MemberType& type, std::size_t place, const void* standard) {
    if (!key.required && key.standard.empty()) key.standard = type.standard(key, standard);
    rows_.push_back({std::move(key), type.read, place});
}

void Rows::row(Key key, Read read) {
    rows_.push_back({std::move(key), std::move(read)});
}

void Rows::table(Key key, const Rows& inside, std::size_t place, Make make) {
    take_children(key, inside);
    const auto rows = std::make_shared<const Rows>(inside);
    const auto read = [rows, make](const TomlTable& table, const Key& its_key, void* member,
                                   Reading& reading) {
        auto inner = table.table(its_key.name);
        if (its_key.required) inner = table.need(std::move(inner), its_key);
        if (inner) rows->read(*inner, make == nullptr ? member : make(member), reading);
    };
    rows_.push_back({std::move(key), read, place});
}

void Rows::tables(Key key, const Rows& inside, std::size_t place, Make append) {
    take_children(key, inside);
    const auto rows = std::make_shared<const Rows>(inside);
    const auto read = [rows, append](const TomlTable& table, const Key& its_key, void* member,
                                     Reading& reading) {
        auto elements = table.tables(its_key.name);
        if (its_key.required) elements = table.need(std::move(elements), its_key);
        if (!elements) return;
        if (elements->empty() && its_key.required)
            table.fail(its_key.name, fmt::format("is empty; give {}", its_key.wanted()));
        for (const TomlTable& element : *elements)
            rows->read(element, append(member), reading);
    };
    rows_.push_back({std::move(key), read, place});
}

void Rows::include(const Rows& other, std::size_t place) {
    for (const Row& row : other.rows_)
        rows_.push_back({row.key, row.read, row.place + place});
    renamed_.insert(renamed_.end(), other.renamed_.begin(), other.renamed_.end());
}

void Rows::choose(Key kind, std::initializer_list<const Rows*> alternatives, std::size_t place,
                  Select select) {
    Choice choice{.kind = std::move(kind), .alternatives = {}, .place = place, .select = select};
    for (const Rows* each : alternatives) {
        renamed_.insert(renamed_.end(), each->renamed_.begin(), each->renamed_.end());
        choice.alternatives.push_back(*each);
    }
    choice_ = std::make_shared<const Choice>(std::move(choice));
}

void Rows::rename(std::string_view old_name, std::string_view new_name) {
    renamed_.emplace_back(old_name, new_name);
}

void Rows::read(const TomlTable& table, void* target, Reading& reading) const {
    if (!choice_) {
        table.allow_only(names({}), renamed_);
        return read_rows(table, target, reading);
    }
    const Choice& choice = *choice_;
    std::optional<std::size_t> chosen;
    if (!choice.kind.name.empty()) chosen = table.need(table.word(choice.kind), choice.kind);
    table.allow_only(names(chosen), renamed_);
    if (!chosen) chosen = given(table);
    void* made =
        choice.select == nullptr ? nullptr : choice.select(moved(target, choice.place), *chosen);
    choice.alternatives[*chosen].read_rows(table, made == nullptr ? target : made, reading);
    read_rows(table, target, reading);
}

void Rows::read_rows(const TomlTable& table, void* target, Reading& reading) const {
    for (const Row& row : rows_) {
        if (row.read) row.read(table, row.key, moved(target, row.place), reading);
    }
}

std::vector<Key> Rows::keys() const {
    std::vector<Key> keys;
    if (choice_) {
        const Key& kind = choice_->kind;
        if (!kind.name.empty()) keys.push_back(kind);
        for (std::size_t i = 0; i < choice_->alternatives.size(); ++i) {
            for (Key& key : choice_->alternatives[i].keys()) {
                if (!kind.name.empty()) {
                    key.only_with = kind.words[i];
                } else if (key.required && key.name != choice_->first_key(i)) {
                    key.otherwise(fmt::format("needed with `{}`", choice_->first_key(i)));
                }
                keys.push_back(std::move(key));
            }
        }
    }
    for (const Row& row : rows_) {
        if (!row.key.name.empty()) keys.push_back(row.key);
    }
    return keys;
}

/// The names of the keys, with those of all alternatives or of the chosen one.
std::vector<std::string> Rows::names(std::optional<std::size_t> chosen) const {
    std::vector<std::string> names;
    if (choice_) {
        if (!choice_->kind.name.empty()) names.emplace_back(choice_->kind.name);
        for (std::size_t i = 0; i < choice_->alternatives.size(); ++i) {
            if (chosen && *chosen != i) continue;
            for (std::string& name : choice_->alternatives[i].names({}))
                names.push_back(std::move(name));
        }
    }
    for (const Row& row : rows_) {
        if (!row.key.name.empty()) names.emplace_back(row.key.name);
    }
    return names;
}

/// The alternative whose first key is given; the keys of the others must not be.
std::size_t Rows::given(const TomlTable& table) const {
    const std::vector<Rows>& alternatives = choice_->alternatives;
    const auto first = [&](std::size_t i) { return choice_->first_key(i); };
    std::optional<std::size_t> given;
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
        if (!table.has(first(i))) continue;
        if (given) {
            table.fail(first(i), fmt::format("is given in addition to {}; give one of the two",
                                             first(*given)));
        }
        given = i;
    }
    if (!given) table.fail(first(0), choice_->kind.meaning);
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
        for (const Row& row : alternatives[i].rows_) {
            if (i != *given && !row.key.name.empty() && table.has(row.key.name)) {
                table.fail(row.key.name,
                           fmt::format("belongs to {}, not to {}", first(i), first(*given)));
            }
        }
    }
    return *given;
}

}  // namespace beadwave::io
