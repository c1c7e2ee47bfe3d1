// The elements of the own beads of a process as items of streams and constants.
#pragma once

#include "chain/own_elements.hpp"
#include "recording/stream.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace beadwave::running {

inline std::vector<recording::OwnItems> items_of(const std::vector<chain::ElementRun>& own) {
    std::vector<recording::OwnItems> items;
    for (const chain::ElementRun& run : own)
        items.push_back({run.number, run.count});
    return items;
}

/// Calls function(k, index) for the items first + k, k < count, that are own ones; `index`: in the
/// list of this process.
template <class Function>
void for_each_own(const std::vector<chain::ElementRun>& own, std::size_t first, std::size_t count,
                  const Function& function) {
    for (const chain::ElementRun& run : own) {
        const std::size_t from = std::max(first, run.number);
        const std::size_t to = std::min(first + count, run.number + run.count);
        for (std::size_t number = from; number < to; ++number)
            function(number - first, run.index + (number - run.number));
    }
}

/// Adds a number per element of a list, `count` in the whole chain: parameters/NAME, and NAME in
/// memory. number(k) is that of element k in the list of this process; `own` are its own ones.
template <class Number>
void add_constant_of(recording::Description& all, const chain::Chain& chain,
                     const std::vector<chain::ElementRun>& own, std::size_t count,
                     const std::string& name, const char* unit, const Number& number) {
    std::vector<double> numbers;
    for (const chain::ElementRun& run : own) {
        for (std::size_t k = run.index; k < run.index + run.count; ++k)
            numbers.push_back(number(k));
    }
    all.constants.push_back({"parameters/" + name,
                             name,
                             unit,
                             {count},
                             all.keep(std::move(numbers)),
                             chain.partition.has_value(),
                             items_of(own)});
}

}  // namespace beadwave::running
