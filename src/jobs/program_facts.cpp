#include "jobs/program_facts.hpp"

#include "simd/instruction_sets.hpp"

namespace beadwave::jobs {

std::vector<ranks::Fact> program_facts(const std::vector<ranks::Fact>& more) {
    std::vector<ranks::Fact> facts{
        {"version of beadwave", BEADWAVE_VERSION, true},
        {"kind of processor", simd::instruction_sets().front().name, true}};
    facts.insert(facts.end(), more.begin(), more.end());
    return facts;
}

}  // namespace beadwave::jobs
