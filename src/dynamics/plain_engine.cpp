#include "dynamics/plain_engine.hpp"

#include <stdexcept>
#include <variant>

namespace beadwave::dynamics {

std::unique_ptr<Engine> make_plain_engine(const chain::Chain& chain, double time_step) {
    if (chain.partition)
        throw std::logic_error("the plain engine needs the whole chain on one process");
    return std::visit(
        [&]<class Law>(const Law&) -> std::unique_ptr<Engine> {
            std::vector<Law> law;
            for (std::size_t c = 0; c < chain.contacts.count(); ++c)
                law.push_back(std::get<Law>(chain.contacts.at(c)));
            return std::make_unique<PlainEngine<Law>>(chain, std::move(law), time_step);
        },
        chain.contacts.first());
}

}  // namespace beadwave::dynamics
