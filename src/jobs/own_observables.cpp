#include "jobs/own_observables.hpp"

#include "beadwave/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace beadwave::jobs {

using recording::Pace;

std::vector<const recording::Channel*> Moment::readable() const {
    std::vector<const recording::Channel*> all;
    for (const recording::Stream& stream : all_.streams) {
        for (const recording::Channel& channel : stream.channels) {
            if (channel.fill) all.push_back(&channel);
        }
    }
    return all;
}

std::vector<std::string> Moment::names() const {
    std::vector<std::string> all;
    for (const recording::Channel* const each : readable())
        all.push_back(each->name());
    return all;
}

const recording::Channel* Moment::find(const std::string& name) const {
    for (const recording::Channel* const each : readable()) {
        if (each->name() == name) return each;
    }
    return nullptr;
}

ObservingStore::ObservingStore(const recording::Description& all,
                               const std::vector<OwnObservable>& observables)
    : moment_(std::make_shared<Moment>(all)), observables_(observables) {
    for (const OwnObservable& own : observables_) {
        if (own.pace == Pace::snapshots && !(all.counts.snapshots > 0.0)) {
            throw InputError(fmt::format(
                "observe: \"{}\" is sampled with the snapshots, which this scenario does not have; "
                "give snapshots.interval, or every=\"energy\"",
                own.name));
        }
        if (own.pace == Pace::energy && !(all.counts.energy > 0.0)) {
            throw InputError(fmt::format(
                "observe: \"{}\" is sampled with the energy ledger, which a {} has with its "
                "snapshots; give every=\"snapshots\"",
                own.name, all.system));
        }
        if (moment_->find(own.name) != nullptr)
            throw InputError(fmt::format("observe: \"{}\" is recorded already", own.name));
    }
}

recording::Description ObservingStore::described() const {
    recording::Description all = moment_->description();
    for (const OwnObservable& own : observables_) {
        recording::Channel channel{
            .path = "observables/" + own.name,
            .unit = own.unit,
            .shape = own.shape,
            .fill = [moment = moment_, value = own.value](std::size_t, std::span<double> out) {
                value(moment, out);
            }};
        channel.meaning = own.meaning;
        all.streams.push_back({own.pace, "", {std::move(channel)}});
    }
    return all;
}

void ObservingStore::sample(Pace pace, std::int64_t step, double time) {
    moment_->step = step;
    moment_->time = time;
    moment_->live = true;
    try {
        store_->sample(pace, step, time);
    } catch (...) {
        moment_->live = false;
        throw;
    }
    moment_->live = false;
}

}  // namespace beadwave::jobs
