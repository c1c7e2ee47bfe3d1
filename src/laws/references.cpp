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
              .in_book = true},
    Reference{.key = "JohnsonKendallRoberts1971",
              .authors = "Kenneth L. Johnson and Kevin Kendall and Alan D. Roberts",
              .title = "Surface energy and the contact of elastic solids",
              .where = "Proceedings of the Royal Society of London A",
              .volume = "324",
              .number = "1558",
              .pages = "301-313",
              .year = 1971,
              .doi = "10.1098/rspa.1971.0141",
              .in_sources = "Johnson, Kendall and Roberts 1971"},
    Reference{.key = "ThorntonNing1998",
              .authors = "Colin Thornton and Zemin Ning",
              .title = "A theoretical model for the stick/bounce behaviour of adhesive, "
                       "elastic-plastic spheres",
              .where = "Powder Technology",
              .volume = "99",
              .number = "2",
              .pages = "154-162",
              .year = 1998,
              .doi = "10.1016/S0032-5910(98)00099-0",
              .in_sources = "Thornton and Ning 1998"},
    Reference{.key = "DerjaguinMullerToporov1975",
              .authors = "Boris V. Derjaguin and V. M. Muller and Yu. P. Toporov",
              .title = "Effect of contact deformations on the adhesion of particles",
              .where = "Journal of Colloid and Interface Science",
              .volume = "53",
              .number = "2",
              .pages = "314-326",
              .year = 1975,
              .doi = "10.1016/0021-9797(75)90018-1",
              .in_sources = "Derjaguin, Muller and Toporov 1975"},
    Reference{.key = "Willett2000",
              .authors = "Christopher D. Willett and Michael J. Adams and Simon A. Johnson and "
                         "Jonathan P. K. Seville",
              .title = "Capillary bridges between two spherical bodies",
              .where = "Langmuir",
              .volume = "16",
              .number = "24",
              .pages = "9396-9405",
              .year = 2000,
              .doi = "10.1021/la000657y",
              .in_sources = "Willett et al. 2000"},
    Reference{.key = "LianThorntonAdams1993",
              .authors = "Guoping Lian and Colin Thornton and Michael J. Adams",
              .title = "A theoretical study of the liquid bridge forces between two rigid "
                       "spherical bodies",
              .where = "Journal of Colloid and Interface Science",
              .volume = "161",
              .number = "1",
              .pages = "138-147",
              .year = 1993,
              .doi = "10.1006/jcis.1993.1452",
              .in_sources = "Lian, Thornton and Adams 1993"},
    Reference{.key = "Thornton1991",
              .authors = "Colin Thornton",
              .title = "Interparticle sliding in the presence of adhesion",
              .where = "Journal of Physics D: Applied Physics",
              .volume = "24",
              .number = "11",
              .pages = "1942-1946",
              .year = 1991,
              .doi = "10.1088/0022-3727/24/11/007",
              .in_sources = "Thornton 1991"}};

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
