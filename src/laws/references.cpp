#include "laws/references.hpp"

#include <array>

namespace beadwave::laws {
namespace {

constexpr std::array papers{
    Reference{
        .key = "WangLiu2022",
        .authors = "Gengxiang Wang and Caishan Liu and Yang Liu",
        .title = "Energy dissipation analysis for elastoplastic contact and dynamic dashpot models",
        .where = "International Journal of Mechanical Sciences",
        .volume = "221",
        .number = "",
        .pages = "107214",
        .year = 2022,
        .doi = "10.1016/j.ijmecsci.2022.107214"},
    Reference{.key = "WangReview2022",
              .authors = "Gengxiang Wang and Daolin Ma and Yang Liu and Caishan Liu",
              .title = "Research progress of contact force models in the collision mechanics of "
                       "multibody system",
              .where = "Chinese Journal of Theoretical and Applied Mechanics",
              .volume = "54",
              .number = "12",
              .pages = "3239-3266",
              .year = 2022,
              .doi = ""},
    Reference{.key = "Skrinjar2018",
              .authors = "Luka Skrinjar and Janko Slavič and Miha Boltežar",
              .title = "A review of continuous contact-force models in multibody dynamics",
              .where = "International Journal of Mechanical Sciences",
              .volume = "145",
              .number = "",
              .pages = "171-187",
              .year = 2018,
              .doi = "10.1016/j.ijmecsci.2018.07.010"},
    Reference{.key = "CorralReview",
              .authors = "Eduardo Corral and Raúl Gismeros Moreno and María Jesús Gómez García and "
                         "Cristina Castejón",
              .title = "Nonlinear phenomena of contact in multibody systems dynamics: a review",
              .where = "Nonlinear Dynamics",
              .volume = "104",
              .number = "2",
              .pages = "1269-1295",
              .year = 2021,
              .doi = "10.1007/s11071-021-06344-z"},
    Reference{.key = "Poursina2020",
              .authors = "Mohammad Poursina and Parviz E. Nikravesh",
              .title = "Optimal damping coefficient for a class of continuous contact models",
              .where = "Multibody System Dynamics",
              .volume = "50",
              .number = "",
              .pages = "169-188",
              .year = 2020,
              .doi = "10.1007/s11044-020-09745-x"},
    Reference{.key = "WaltonBraun1986",
              .authors = "Otis R. Walton and Robert L. Braun",
              .title = "Viscosity, granular-temperature, and stress calculations for shearing "
                       "assemblies of inelastic, frictional disks",
              .where = "Journal of Rheology",
              .volume = "30",
              .number = "5",
              .pages = "949-980",
              .year = 1986,
              .doi = "10.1122/1.549893",
              .in_sources = "Walton and Braun 1986"},
    Reference{.key = "CundallStrack1979",
              .authors = "Peter A. Cundall and Otto D. L. Strack",
              .title = "A discrete numerical model for granular assemblies",
              .where = "Géotechnique",
              .volume = "29",
              .number = "1",
              .pages = "47-65",
              .year = 1979,
              .doi = "10.1680/geot.1979.29.1.47"},
    Reference{.key = "Mindlin1949",
              .authors = "Raymond D. Mindlin",
              .title = "Compliance of elastic bodies in contact",
              .where = "Journal of Applied Mechanics",
              .volume = "16",
              .number = "3",
              .pages = "259-268",
              .year = 1949,
              .doi = ""},
    Reference{.key = "ThorntonRandall1988",
              .authors = "Colin Thornton and C. W. Randall",
              .title = "Applications of theoretical contact mechanics to solid particle system "
                       "simulation",
              .where = "Micromechanics of Granular Materials, edited by M. Satake and J. T. "
                       "Jenkins, Elsevier",
              .volume = "",
              .number = "",
              .pages = "133-142",
              .year = 1988,
              .doi = "",
              .in_book = true},
    Reference{.key = "IwashitaOda1998",
              .authors = "Kazuyoshi Iwashita and Masanobu Oda",
              .title = "Rolling resistance at contacts in simulation of shear band development by "
                       "DEM",
              .where = "Journal of Engineering Mechanics",
              .volume = "124",
              .number = "3",
              .pages = "285-292",
              .year = 1998,
              .doi = "10.1061/(ASCE)0733-9399(1998)124:3(285)"},
    Reference{.key = "Ai2011",
              .authors = "Jun Ai and Jian-Fei Chen and J. Michael Rotter and Jin Y. Ooi",
              .title = "Assessment of rolling resistance models in discrete element simulations",
              .where = "Powder Technology",
              .volume = "206",
              .number = "3",
              .pages = "269-282",
              .year = 2011,
              .doi = "10.1016/j.powtec.2010.09.030"},
    Reference{.key = "Ambrosio2003",
              .authors = "Jorge A. C. Ambrósio",
              .title = "Impact of rigid and flexible multibody systems: deformation description "
                       "and contact models",
              .where = "Virtual Nonlinear Multibody Systems, edited by W. Schiehlen and M. "
                       "Valášek, NATO Science Series II 103, Springer",
              .volume = "",
              .number = "",
              .pages = "57-81",
              .year = 2003,
              .doi = "",
              .in_book = true}};

}  // namespace

std::span<const Reference> references() {
    return papers;
}

std::vector<const Reference*> references_in(std::string_view source) {
    std::vector<const Reference*> found;
    for (const Reference& paper : papers) {
        const std::string_view named = paper.in_sources.empty() ? paper.key : paper.in_sources;
        if (source.find(named) != std::string_view::npos) found.push_back(&paper);
    }
    return found;
}

std::string other_source(std::string_view name) {
    if (name == "linear") return "CundallStrack1979";
    if (name == "mindlin") return "Mindlin1949; ThorntonRandall1988";
    if (name == "mindlin-displacement") return "Mindlin1949";
    if (name == "rolling") return "IwashitaOda1998; Ai2011";
    if (name == "ambrosio") return "Ambrosio2003";
    if (name == "impulse") return "Poursina2020 section 6";
    return "";
}

}  // namespace beadwave::laws
