#include "baseline.hpp"

#include "baseline_program.hpp"

namespace beadwave::bench {

struct BaselineProgram::Hidden : Baseline {
    using Baseline::Baseline;
};

BaselineProgram::BaselineProgram(std::size_t beads, double stiffness, double mass, double overlap,
                                 double dt)
    : hidden_(std::make_unique<Hidden>(beads, stiffness, mass, overlap, dt)) {
    hidden_->velocity()[1] = 0.1;
}
BaselineProgram::~BaselineProgram() = default;
void BaselineProgram::advance(long steps) {
    hidden_->advance(steps);
}

}  // namespace beadwave::bench
