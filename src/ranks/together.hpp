// Work that every rank does on its own and that may fail on any: all hear of it.
#pragma once

#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "ranks/ranks.hpp"
#include "write_error.hpp"

#include <string>

namespace beadwave::ranks {

/// Who was first to fail, in the order of ranks, and how; `kind` 0: nobody.
struct SharedError {
    int kind = 0;
    std::string what;
};
enum : int { no_error = 0, input_error, argument_error, write_error, other_error };

/// The same on all ranks.
SharedError first_error(Ranks& ranks, const SharedError& own);

/// The first text that is not empty, in the order of ranks; null: there is one.
std::string first_text(Ranks* ranks, const std::string& own);

/// Runs `action`, which sends nothing; null: there is one rank. Where it throws on some ranks, all
/// throw what the first of them threw: InputError, ArgumentError and WriteError as such, anything
/// else as std::runtime_error.
template <class Action>
void together(Ranks* ranks, const Action& action) {
    if (ranks == nullptr || ranks->alone()) return action();
    SharedError own;
    try {
        action();
    } catch (const InputError& error) {
        own = {input_error, error.what()};
    } catch (const ArgumentError& error) {
        own = {argument_error, error.what()};
    } catch (const WriteError& error) {
        own = {write_error, error.what()};
    } catch (const std::bad_alloc&) {
        own = {other_error, "not enough memory"};
    } catch (const std::exception& error) {
        own = {other_error, error.what()};
    }
    const SharedError first = first_error(*ranks, own);
    if (first.kind == input_error) throw InputError(first.what);
    if (first.kind == argument_error) throw ArgumentError(first.what);
    if (first.kind == write_error) throw WriteError(first.what);
    if (first.kind == other_error) throw std::runtime_error(first.what);
}

}  // namespace beadwave::ranks
