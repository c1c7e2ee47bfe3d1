#include "io/history/contact_table.hpp"

#include "io/hdf5/hdf5_reading.hpp"

#include <string>
#include <vector>

namespace beadwave::io {
namespace {

hdf5::Dataset column(hid_t group, const std::string& name, hid_t type, hsize_t width,
                     const char* unit, h5md::Element kind) {
    if (kind == h5md::Element::continued) {
        hdf5::Dataset earlier = hdf5::open_dataset(group, name);
        hdf5::check_shape(earlier, "connectivity/contacts/" + name,
                          {&width, width > 1 ? std::size_t{1} : std::size_t{0}});
        return earlier;
    }
    std::vector<hsize_t> chunk{4096}, shape{0};
    if (width > 1) {
        chunk.push_back(width);
        shape.push_back(width);
    }
    hdf5::Dataset made = hdf5::create_extensible(group, name, type, chunk, shape);
    if (unit != nullptr) h5md::set_unit(made, unit);
    return made;
}

/// Writes rows of `width` numbers after the first `before` rows.
template <typename Number>
void add(const hdf5::Dataset& dataset, hsize_t before, hsize_t width,
         const std::vector<Number>& numbers) {
    const hsize_t rows = numbers.size() / width;
    std::vector<hsize_t> shape{before + rows}, first{before}, count{rows};
    if (width > 1) {
        shape.push_back(width);
        first.push_back(0);
        count.push_back(width);
    }
    hdf5::extend(dataset, shape);
    if (rows > 0) hdf5::write_block(dataset, hdf5::type_of<Number>(), first, count, numbers.data());
}

void put(std::vector<double>& row, const packing::Vec3& v) {
    row.insert(row.end(), {v.x, v.y, v.z});
}

}  // namespace

ContactTable::ContactTable(hid_t group, h5md::Element kind) {
    const hid_t whole = hdf5::type_of<std::int64_t>(), real = hdf5::type_of<double>();
    step_ = column(group, "step", whole, 1, nullptr, kind);
    time_ = column(group, "time", real, 1, "s", kind);
    row_splits_ = column(group, "row_splits", whole, 1, nullptr, kind);
    if (kind == h5md::Element::made) add<std::int64_t>(row_splits_, 0, 1, {0});
    pair_ = column(group, "pair", whole, 2, nullptr, kind);
    overlap_ = column(group, "overlap", real, 1, "m", kind);
    point_ = column(group, "point", real, 3, "m", kind);
    normal_ = column(group, "normal_force", real, 3, "N", kind);
    tangential_ = column(group, "tangential_force", real, 3, "N", kind);
    snapshots_ = hdf5::rows_of(step_);
    contacts_ = hdf5::rows_of(pair_);
}

void ContactTable::append(std::int64_t step, double time,
                          std::span<const packing::ContactState> contacts,
                          std::span<const packing::Vec3> position) {
    std::vector<std::int64_t> pair;
    std::vector<double> overlap, point, normal, tangential;
    for (const packing::ContactState& contact : contacts) {
        pair.push_back(static_cast<std::int64_t>(contact.first));
        pair.push_back(static_cast<std::int64_t>(contact.second));
        overlap.push_back(contact.overlap);
        put(point, position[contact.first] + contact.point);
        put(normal, contact.normal_force);
        put(tangential, contact.tangential_force);
    }
    add(pair_, contacts_, 2, pair);
    add(overlap_, contacts_, 1, overlap);
    add(point_, contacts_, 3, point);
    add(normal_, contacts_, 3, normal);
    add(tangential_, contacts_, 3, tangential);
    contacts_ += contacts.size();
    add<std::int64_t>(row_splits_, snapshots_ + 1, 1, {static_cast<std::int64_t>(contacts_)});
    add<std::int64_t>(step_, snapshots_, 1, {step});
    add<double>(time_, snapshots_, 1, {time});
    ++snapshots_;
}

void ContactTable::flush() const {
    for (const hdf5::Dataset* each :
         {&pair_, &overlap_, &point_, &normal_, &tangential_, &row_splits_, &step_, &time_})
        hdf5::flush(*each);
}

}  // namespace beadwave::io
