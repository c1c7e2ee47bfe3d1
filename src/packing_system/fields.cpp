#include "packing_system/fields.hpp"

#include "packing_system/put_vector.hpp"
#include "ranks/in_order.hpp"

#include <algorithm>
#include <string>

namespace beadwave::observers {
namespace {

using packing::ContactState;
using packing::Vec3;
using Of = FieldQuantity::Of;

void put_product(double factor, const Vec3& a, const Vec3& b, std::span<double> out) {
    const auto row = packing::components(a), column = packing::components(b);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j)
            out[3 * i + j] = factor * row[i] * column[j];
    }
}

double mass_of(const FieldSource& s) {
    return s.state.packing.mass[s.particle];
}

/// A contribution to a stress.
void put_stress(const FieldSource& s, std::span<double> out) {
    put_product(1.0, s.force, s.line, out);
}

bool is_of_particles(Of of) {
    return of == Of::particles || of == Of::dissipation || of == Of::mass_mean ||
           of == Of::number_mean;
}

/// What each particle has dissipated, with all of its contacts with walls [J].
std::vector<packing::DissipationParts> dissipated_by_particles(
    const std::vector<packing::ContactDissipation>& contacts, std::size_t particles) {
    std::vector<packing::DissipationParts> all(contacts.empty() ? 0 : particles);
    for (const packing::ContactDissipation& each : contacts) {
        const bool with_wall = each.second >= particles;
        all[each.first].add(each.parts, with_wall ? 1.0 : 0.5);
        if (!with_wall) all[each.second].add(each.parts, 0.5);
    }
    return all;
}

}  // namespace

const std::vector<FieldQuantity>& field_quantities() {
    static const std::vector<FieldQuantity> all{
        {"field_density",
         "kg m-3",
         "kg m-2",
         {},
         Of::particles,
         [](const FieldSource& s, auto out) { out[0] = mass_of(s); }},
        {"field_volume_fraction",
         "1",
         "1",
         {},
         Of::particles,
         [](const FieldSource& s, auto out) { out[0] = s.state.packing.solid(s.particle); }},
        {"field_velocity",
         "m s-1",
         "m s-1",
         {3},
         Of::mass_mean,
         [](const FieldSource& s, auto out) { put_vector(mass_of(s) * s.velocity, out); }},
        {"field_dissipation",
         "J m-3",
         "J m-2",
         {packing::DissipationParts::count},
         Of::dissipation,
         [](const FieldSource& s, auto out) {
             for (std::size_t k = 0; k < out.size(); ++k)
                 out[k] = s.dissipated.*packing::DissipationParts::all[k];
         }},
        {"field_coordination_number",
         "1",
         "1",
         {},
         Of::number_mean,
         [](const FieldSource& s, auto out) { out[0] = s.contacts; }},
        {"field_contact_stress", "Pa", "N m-1", {3, 3}, Of::contacts, put_stress},
        {"field_bond_stress", "Pa", "N m-1", {3, 3}, Of::bonds, put_stress},
        {"field_kinetic_stress",
         "Pa",
         "N m-1",
         {3, 3},
         Of::fluctuations,
         [](const FieldSource& s, auto out) {
             put_product(-mass_of(s), s.velocity, s.velocity, out);
         }},
        {"field_wall_force",
         "N m-3",
         "N m-2",
         {3},
         Of::wall_contacts,
         [](const FieldSource& s, auto out) { put_vector(s.force, out); }},
    };
    return all;
}

Fields::Fields(const packing::FieldGrid& grid, const packing::Packing& packing, bool dissipation)
    : grid_(grid),
      dimension_(static_cast<std::size_t>(packing.dimension)),
      dissipation_(dissipation) {
    for (const FieldQuantity& quantity : field_quantities()) {
        if (quantity.of == Of::wall_contacts && packing.walls.empty()) continue;
        if (quantity.of == Of::bonds && packing.elements.bonds.empty()) continue;
        if (quantity.of == Of::dissipation && !dissipation) continue;
        fields_.push_back({&quantity, std::vector<double>(grid.count() * quantity.size())});
    }
    for (std::size_t a = 0; a < dimension_; ++a)
        place_[a].resize(static_cast<std::size_t>(grid.cells[a]));
}

void Fields::take(const MeasuredState& state, const packing::PackingEngine& engine,
                  ranks::Communicator* ranks) {
    const std::size_t particles = state.packing.particles();
    const GridCells cells(grid_, state.packing, state.region, engine.box().edges);
    cell_volume_ = cells.volume();
    for (std::size_t a = 0; a < dimension_; ++a) {
        for (std::size_t k = 0; k < place_[a].size(); ++k)
            place_[a][k] = cells.centre(a, k);
    }
    for (Field& field : fields_)
        std::ranges::fill(field.numbers, 0.0);
    Spreading spreading(cells);
    const bool here = ranks == nullptr || ranks->first();
    std::vector<std::uint32_t> contacts(here ? particles : 0);
    {
        const std::vector<Vec3> moved = engine.displacement();
        engine.visit_contacts([&](std::span<const ContactState> some) {
            for (const ContactState& contact : some) {
                ++contacts[contact.first];
                if (contact.second < particles) ++contacts[contact.second];
            }
            add_contacts(state, some, moved, spreading);
        });
        if (here) add_bonds(state, moved, spreading);
    }
    add_particles(state, engine, contacts,
                  dissipated_by_particles(dissipation_ ? engine.dissipation()
                                                       : std::vector<packing::ContactDissipation>{},
                                          particles),
                  spreading, ranks);
    for (Field& field : fields_) {
        const Of of = field.quantity->of;
        if (of == Of::mass_mean || of == Of::number_mean) continue;
        for (double& number : field.numbers)
            number /= cell_volume_;
    }
}

void Fields::add_particles(const MeasuredState& state, const packing::PackingEngine& engine,
                           const std::vector<std::uint32_t>& contacts,
                           const std::vector<packing::DissipationParts>& dissipated,
                           Spreading& spreading, ranks::Communicator* ranks) {
    const packing::Packing& p = state.packing;
    const packing::BoxState box = engine.box();
    const std::vector<MovingParticle> own = moving_particles(engine);
    std::vector<double> mass(grid_.count()), number(grid_.count());
    std::array<double, 9> value{};
    // Calls visit(source, cell, share) for all particles that are there.
    const auto each = [&](auto visit) {
        std::size_t i = 0;
        const auto spread = [&](const MovingParticle& now) {
            if (engine.population().is_absent(i)) return;
            spreading.point(p.position[i] + now.displacement, [&](std::size_t cell, double share,
                                                                  const auto& image) {
                FieldSource source{.state = state, .particle = i, .velocity = now.velocity};
                source.contacts = contacts[i];
                if (!dissipated.empty()) source.dissipated = dissipated[i];
                if (box.strains) source.velocity += box.rate.shift(image);
                visit(source, cell, share);
            });
        };
        ranks::visit_in_order<MovingParticle>(ranks, own,
                                              [&](std::span<const MovingParticle> some) {
                                                  for (const MovingParticle& each : some)
                                                      spread(each), ++i;
                                              });
    };
    const auto add = [&](Field& field, const FieldSource& source, std::size_t cell, double share) {
        const std::size_t size = field.quantity->size();
        field.quantity->value(source, std::span(value).first(size));
        for (std::size_t k = 0; k < size; ++k)
            field.numbers[size * cell + k] += share * value[k];
    };
    each([&](const FieldSource& source, std::size_t cell, double share) {
        mass[cell] += share * p.mass[source.particle];
        number[cell] += share;
        for (Field& field : fields_) {
            if (is_of_particles(field.quantity->of)) add(field, source, cell, share);
        }
    });
    const Field* mean_velocity = nullptr;
    for (Field& field : fields_) {
        const Of of = field.quantity->of;
        if (of != Of::mass_mean && of != Of::number_mean) continue;
        const std::vector<double>& over = of == Of::mass_mean ? mass : number;
        const std::size_t size = field.quantity->size();
        for (std::size_t k = 0; k < field.numbers.size(); ++k)
            field.numbers[k] = over[k / size] > 0.0 ? field.numbers[k] / over[k / size] : 0.0;
        if (of == Of::mass_mean) mean_velocity = &field;
    }
    each([&](FieldSource source, std::size_t cell, double share) {
        const double* const mean = mean_velocity->numbers.data() + 3 * cell;
        source.velocity -= Vec3{mean[0], mean[1], mean[2]};
        for (Field& field : fields_) {
            if (field.quantity->of == Of::fluctuations) add(field, source, cell, share);
        }
    });
}

void Fields::add_contacts(const MeasuredState& state, std::span<const ContactState> some,
                          const std::vector<Vec3>& moved, Spreading& spreading) {
    const packing::Packing& p = state.packing;
    for (const ContactState& contact : some) {
        const bool with_wall = contact.second >= p.particles();
        const Vec3 from = p.position[contact.first] + moved[contact.first];
        const FieldSource source{.state = state,
                                 .force = contact.normal_force + contact.tangential_force,
                                 .line = with_wall ? contact.point : contact.branch};
        add_line(Of::contacts, source, from, source.line, spreading);
        if (with_wall) add_line(Of::wall_contacts, source, from + contact.point, {}, spreading);
    }
}

void Fields::add_bonds(const MeasuredState& state, const std::vector<Vec3>& moved,
                       Spreading& spreading) {
    const packing::Packing& p = state.packing;
    for (const BondState& bond : state.bonds) {
        const FieldSource source{.state = state, .force = bond.force, .line = bond.branch};
        add_line(Of::bonds, source, p.position[bond.first] + moved[bond.first], bond.branch,
                 spreading);
    }
}

void Fields::add_line(Of of, const FieldSource& source, const Vec3& from, const Vec3& way,
                      Spreading& spreading) {
    std::array<double, 9> value{};
    for (Field& field : fields_) {
        if (field.quantity->of != of) continue;
        const std::size_t size = field.quantity->size();
        field.quantity->value(source, std::span(value).first(size));
        spreading.line(from, way, [&](std::size_t cell, double share, const auto&) {
            for (std::size_t k = 0; k < size; ++k)
                field.numbers[size * cell + k] += share * value[k];
        });
    }
}

std::span<const double> Fields::numbers(std::string_view name) const {
    for (const Field& field : fields_) {
        if (field.quantity->name == name) return field.numbers;
    }
    return {};
}

std::vector<recording::Channel> Fields::channels() const {
    const auto from = [](const std::vector<double>& numbers, std::size_t per_item) {
        return [&numbers, per_item](std::size_t first, std::span<double> out) {
            std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(first * per_item), out.size(),
                        out.begin());
        };
    };
    std::vector<recording::Channel> channels;
    const char* const axes[] = {"field_x", "field_y", "field_z"};
    std::vector<std::size_t> cells;
    for (std::size_t a = 0; a < dimension_; ++a) {
        cells.push_back(place_[a].size());
        channels.push_back({.path = std::string("observables/") + axes[a],
                            .unit = "m",
                            .shape = {cells[a]},
                            .fill = from(place_[a], 1)});
    }
    for (const Field& field : fields_) {
        const FieldQuantity& quantity = *field.quantity;
        std::vector<std::size_t> shape = cells;
        shape.insert(shape.end(), quantity.shape.begin(), quantity.shape.end());
        channels.push_back({.path = std::string("observables/") + quantity.name,
                            .unit = dimension_ == 2 ? quantity.unit_in_plane : quantity.unit,
                            .shape = shape,
                            .fill = from(field.numbers, field.numbers.size() / cells.front())});
    }
    return channels;
}

}  // namespace beadwave::observers
