// The contacts of a chain by kind. A kind is a law and an effective mass, stored once; every
// contact has the number of its kind. A uniform chain has one or two kinds, a dimer chain three or
// four, a disordered chain as many as contacts.
#pragma once

#include "beadwave/chain/small_index.hpp"
#include "beadwave/laws/any_law.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace beadwave::chain {

class Contacts {
  public:
    /// Adds a kind; its number is kind_count() before the call. All kinds must have the same law
    /// type.
    /// effective_mass [kg]; 0: no contact.
    void add_kind(const laws::AnyLaw& law, double effective_mass);
    /// Adds the next contact, in order.
    void add(std::size_t kind) { kind_.push_back(kind); }
    void reserve(std::size_t contacts) { kind_.reserve(contacts); }

    std::size_t count() const { return kind_.size(); }
    std::size_t kind_count() const { return effective_mass_.size(); }
    std::size_t kind(std::size_t contact) const { return kind_[contact]; }

    laws::AnyLaw law(std::size_t kind) const;
    laws::AnyLaw at(std::size_t contact) const { return law(kind_[contact]); }
    /// [kg]; 0 where there is no contact.
    double effective_mass(std::size_t contact) const { return effective_mass_[kind_[contact]]; }

    double kind_mass(std::size_t kind) const { return effective_mass_[kind]; }  ///< [kg], by kind

    /// A law of the type that all contacts have.
    const laws::AnyLaw& first() const { return first_; }
    std::size_t law_fields() const { return fields_.size(); }
    /// One field of the law, one number per kind.
    std::span<const double> field(std::size_t k) const { return fields_[k]; }
    /// The fields of the law, one number per contact.
    std::vector<std::vector<double>> columns() const;

  private:
    laws::AnyLaw first_;
    std::vector<std::vector<double>> fields_;  // per kind
    std::vector<double> effective_mass_;       // per kind
    SmallIndex kind_;                          // per contact
};

}  // namespace beadwave::chain
