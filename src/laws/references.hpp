// The papers behind the laws, by key, as the catalogue names them in its sources.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwave::laws {

struct Reference {
    std::string_view key;
    std::string_view authors;  ///< "First Last and First Last", as BibTeX has them
    std::string_view title;
    std::string_view where;   ///< journal, or book with its editors
    std::string_view volume;  ///< empty: none
    std::string_view number;  ///< of the issue; empty: none
    std::string_view pages;   ///< or the number of the article
    int year;
    std::string_view doi;  ///< empty: none is known
    bool in_book = false;
    std::string_view in_sources{};  ///< how sources name it, if not by its key
};

/// All papers. Each `source` of the catalogue names at least one, except that of tabulated laws.
std::span<const Reference> references();

/// The papers that the text of a source names, such as "WangLiu2022 Eq. (18); Poursina2020".
std::vector<const Reference*> references_in(std::string_view source);

/// The source, in the same form, of what the catalogues do not list: friction laws, "rolling" (and
/// twisting), "impulse". Empty for another name.
std::string other_source(std::string_view name);

}  // namespace beadwave::laws
