#include "dynamics/plain_engine.hpp"

#include <stdexcept>

namespace beadwave::dynamics {

std::unique_ptr<Engine> make_plain_engine(const chain::Chain& chain, double time_step,
                                          bool dissipation) {
    if (chain.partition)
        throw std::logic_error("the plain engine needs the whole chain on one process");
    std::vector<laws::AnyLaw> law;
    for (std::size_t c = 0; c < chain.contacts.count(); ++c)
        law.push_back(chain.contacts.at(c));
    return std::make_unique<PlainEngine<laws::AnyLaw>>(chain, std::move(law), time_step,
                                                       dissipation);
}

}  // namespace beadwave::dynamics
