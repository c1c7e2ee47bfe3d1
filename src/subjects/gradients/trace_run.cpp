#include "subjects/gradients/trace_run.hpp"

#include "subjects/gradients/gradients.hpp"

#include <utility>

namespace beadwave::tasks {
namespace {

using gradients::Channel;

/// The chain of a job, which has a gradient.
gradients::ReadyChain checked_chain(const jobs::Job& job, const std::string& name) {
    gradients::ReadyChain ready = ready_chain(job, name);
    gradients::check_chain(ready);
    return ready;
}

gradients::Inputs inputs_with(const gradients::ReadyChain& ready,
                              const std::vector<gradients::Input>& inputs,
                              const std::vector<std::vector<double>>& values) {
    gradients::Inputs all(ready);
    for (std::size_t k = 0; k < inputs.size(); ++k)
        all.set(inputs[k], values[k]);
    return all;
}

std::vector<Channel> channels_of(const std::vector<std::size_t>& sensors) {
    std::vector<Channel> channels;
    for (const auto kind : {Channel::Kind::sensor_force, Channel::Kind::velocity}) {
        for (const std::size_t bead : sensors)
            channels.push_back({kind, bead});
    }
    return channels;
}

}  // namespace

TraceRun::TraceRun(const jobs::Job& job, const std::string& name,
                   const std::vector<std::size_t>& sensors, const std::string& inputs,
                   const std::vector<std::vector<double>>& values, gradients::Stop stop)
    : time_step_(job.chosen_step()->step),
      inputs_(gradients::read_inputs(inputs, ready_chain(job, name), "inputs")),
      numbers_(inputs_with(checked_chain(job, name), inputs_, values)),
      run_(ready_chain(job, name).chain, numbers_.numbers(), time_step_, job.chosen_step()->count,
           channels_of(sensors), {}, std::move(stop)) {
    run_.forward(true);
}

std::vector<std::vector<double>> TraceRun::reverse(const gradients::Readings& seeds) {
    gradients::MotionNumbers bars = run_.reverse(seeds);
    numbers_.balance(bars);
    std::vector<std::vector<double>> by_input;
    for (const gradients::Input& input : inputs_)
        by_input.push_back(numbers_.gradient(input, bars));
    return by_input;
}

std::vector<std::vector<double>> numbers_of(const jobs::Job& job, const std::string& name,
                                            const std::string& inputs) {
    const gradients::ReadyChain ready = checked_chain(job, name);
    const gradients::Inputs all(ready);
    std::vector<std::vector<double>> numbers;
    for (const gradients::Input& input : gradients::read_inputs(inputs, ready, "inputs")) {
        std::vector<double>& own = numbers.emplace_back();
        for (std::size_t i = 0; i < all.count(input); ++i)
            own.push_back(all.value(input, i));
    }
    return numbers;
}

}  // namespace beadwave::tasks
