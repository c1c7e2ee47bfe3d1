// Work that every rank does on its own and that may fail on any rank; all ranks then report the
// error.
#pragma once

#include "base/write_error.hpp"
#include "beadwave/argument_error.hpp"
#include "beadwave/input_error.hpp"
#include "ranks/communicator.hpp"

#include <string>

namespace beadwave::ranks {

/// The error of the first rank that failed, in the order of ranks; `kind` 0: none failed.
struct SharedError {
    int kind = 0;
    std::string what;
};
enum : int { no_error = 0, input_error, argument_error, write_error, other_error };

/// The first error; all ranks get the same.
SharedError first_error(Communicator& ranks, const SharedError& own);

/// The first text that is not empty, in the order of ranks; null: there is one rank.
std::string first_text(Communicator* ranks, const std::string& own);

/// Runs `action`, which sends no messages; null: there is one rank. If it throws on some ranks, all
/// ranks throw the exception of the first of these: InputError, ArgumentError and WriteError with
/// their own type, any other exception as std::runtime_error.
template <class Action>
void collective(Communicator* ranks, const Action& action) {
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
