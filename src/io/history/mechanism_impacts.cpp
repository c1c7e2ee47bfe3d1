#include "io/history/mechanism_impacts.hpp"

#include "io/hdf5/hdf5_reading.hpp"

#include <string_view>

namespace beadwave::io {
namespace {

hdf5::Dataset make(hid_t group, const ImpactColumn& column) {
    const std::vector<hsize_t> chunk{256}, shape{0};
    hdf5::Dataset made = hdf5::create_extensible(group, std::string(column.name),
                                                 hdf5::type_of<double>(), chunk, shape);
    h5md::set_unit(made, std::string(column.unit));
    return made;
}

}  // namespace

MechanismImpacts::MechanismImpacts(hid_t group, const std::vector<std::string>& points,
                                   h5md::Element kind)
    : points_(points.size()) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool made = kind == h5md::Element::made;
        const std::string name = std::to_string(i);
        const hdf5::Group own =
            made ? hdf5::create_group(group, name) : hdf5::open_group(group, name);
        if (made) hdf5::set_attribute(own.id(), "contact", points[i]);
        for (const ImpactColumn& column : impact_columns) {
            points_[i].columns.push_back(
                made ? make(own.id(), column)
                     : hdf5::open_dataset(own.id(), std::string(column.name)));
        }
        points_[i].rows = hdf5::shape_of(points_[i].columns.front()).at(0);
    }
}

void MechanismImpacts::append(std::size_t point, const mechanism::Impact& impact) {
    PointColumns& own = points_.at(point);
    const hsize_t row = own.rows++, one = 1;
    for (std::size_t k = 0; k < own.columns.size(); ++k) {
        hdf5::extend(own.columns[k], {&own.rows, 1});
        hdf5::write_block(own.columns[k], hdf5::type_of<double>(), {&row, 1}, {&one, 1},
                          &(impact.*impact_columns[k].part));
    }
}

void MechanismImpacts::flush() const {
    for (const PointColumns& point : points_) {
        for (const hdf5::Dataset& column : point.columns)
            hdf5::flush(column);
    }
}

}  // namespace beadwave::io
