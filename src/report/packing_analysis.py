"""Structure and stress of a packing at one snapshot: pair distribution, contact numbers, stress from the contacts. SI units.

The stress is that of Love and Weber (Christoffersen, Mehrabadi and Nemat-Nasser, J. Appl. Mech. 48 (1981) 339-344):

    sigma_ij = 1/V sum over contacts f_i l_j

f: force on the first particle of a contact; l: from its centre to the centre of the second, to the foot on a wall for walls. Compression is
negative. V: the periodic box; along other axes from the lowest to the highest point of any particle. In the plane V is an area, so the
stress is in N/m.
"""
from dataclasses import dataclass

import numpy as np

from .periodic_box import Box, edges_of, nearest_images

LARGEST_RADIUS, SMALLEST_RADIUS = 5.0, 2.5  # of the pair distribution, in mean diameters
BINS_PER_DIAMETER = 20
FEWEST = 20  # reference particles
MOST_PAIRS = 3e7
OFF_CENTRE = 0.15  # of the radius: a reference particle lies this near to the centre of the particles around it


@dataclass
class PairDistribution:
    edges: np.ndarray  # of the distances [m]
    density: np.ndarray  # g: mean number density at these distances over the mean density around; 1: no order
    neighbours: np.ndarray  # mean number of particles at these distances
    references: int  # particles around which was counted
    diameter: float  # mean [m]


def _far_from_edges(position, reach, box):
    low, high = position.min(axis=0), position.max(axis=0)
    inside = np.ones(len(position), bool)
    for axis in range(position.shape[1]):
        if not box[axis, axis]:
            slack = 1e-9 * (high[axis] - low[axis])
            inside &= (position[:, axis] - low[axis] >= reach - slack) & (high[axis] - position[:, axis] >= reach - slack)
    return np.flatnonzero(inside)


def pair_distribution(run, row):
    """None if too few particles have neighbours on all sides.

    Reference particles are those with the whole distance inside the bounding box of all centres, or whose neighbours within the largest
    distance have their mean near the particle; so g needs no assumption about the shape of the packing."""
    dimension = 2 if run.planar else 3
    position, box = run["position"][row][:, :dimension].astype(float), edges_of(run, row)
    position = position[np.isfinite(position).all(axis=1) & run.present(row)]
    if len(position) < FEWEST:
        return None
    diameter, shortest = 2.0 * float(run.radius.mean()), min([0.5 * edge for edge in np.diag(box)[:dimension] if edge] or [np.inf])
    for diameters in np.arange(LARGEST_RADIUS, SMALLEST_RADIUS - 0.1, -0.5):
        reach = min(diameters * diameter, shortest)
        found = _around(run, position, box, reach, diameter)
        if found is not None:
            return found
    return None


def _around(run, position, box, reach, diameter):
    dimension = position.shape[1]
    candidates = _far_from_edges(position, reach, box)
    if len(candidates) < FEWEST:  # a sloping pile: ask all
        candidates = np.arange(len(position))
    most = int(np.clip(MOST_PAIRS / len(position), FEWEST, 2000))
    candidates = candidates[:: max(1, len(candidates) // most)]
    # Touching particles are in the middle of an interval, not on an edge.
    edges = (np.arange(1, int(BINS_PER_DIAMETER * reach / diameter + 0.5) + 1) - 0.5) * diameter / BINS_PER_DIAMETER
    edges = np.append(0.0, edges[edges <= reach])
    reach = edges[-1]
    counts, references, inside = np.zeros(len(edges) - 1), 0, 0
    for centre in candidates:
        between = nearest_images(position - position[centre], box)
        distance = np.sqrt(np.einsum("ij,ij->i", between, between))
        near = (distance <= reach * (1.0 + 1e-12)) & (np.arange(len(position)) != centre)
        if not near.any() or np.linalg.norm(between[near].mean(axis=0)) > OFF_CENTRE * reach:
            continue
        counts += np.histogram(np.minimum(distance[near], reach), edges)[0]
        references += 1
        inside += int(near.sum())
    if references < FEWEST:
        return None
    volumes = np.pi * edges**2 if dimension == 2 else 4.0 / 3.0 * np.pi * edges**3
    density = inside / references / volumes[-1]
    return PairDistribution(edges, counts / references / np.diff(volumes) / density, counts / references, references, diameter)


@dataclass
class ContactNumbers:
    mean: float  # contacts per particle; one with a wall counts for its particle
    without_rattlers: float  # mean over particles with at least two contacts (plane), three (space)
    share: np.ndarray  # of the particles with 0, 1, 2, ... contacts


def contact_numbers(run, row):
    pair = run.contacts(row)[0]
    count = sum(np.bincount(column[column < run.beads], minlength=run.beads) for column in pair.T)[run.present(row)]
    held = count[count >= (2 if run.planar else 3)]
    mean = float(count.mean()) if len(count) else 0.0
    return ContactNumbers(mean, float(held.mean()) if len(held) else 0.0, np.bincount(count) / max(len(count), 1))


def _branches(run, row):
    """Of the contacts: the first particle, the second (-1: a wall), force on the first [N], and the branch from centre to centre [m]."""
    pair, normal, tangential, point = run.contacts(row)
    position = run["position"][row]
    wall = pair[:, 1] >= run.beads
    second = np.where(wall, -1, pair[:, 1])
    branch = np.where(wall[:, None], point, position[second]) - position[pair[:, 0]]
    return pair[:, 0], second, normal + tangential, nearest_images(branch, edges_of(run, row))


def extent_of(run, row):
    """Lower and upper corner of the packing [m]; the periodic box along its axes."""
    present = run.present(row)
    if not present.any():
        present = np.ones(run.beads, bool)
    position, radius = run["position"][row][present], run.radius[present][:, None]
    low, high = (position - radius).min(axis=0), (position + radius).max(axis=0)
    box = Box(run, row, low, high)
    return box.lower, box.lower + np.diag(box.edges)


def volume_of(run, row):
    """[m^3], in the plane [m^2]."""
    low, high = extent_of(run, row)
    return float(np.prod((high - low)[:2 if run.planar else 3]))


def stress(run, row):
    """The mean stress [3, 3] in Pa, in the plane [2, 2] in N/m. Compression is negative."""
    _, _, force, branch = _branches(run, row)
    dimension = 2 if run.planar else 3
    return np.einsum("ci,cj->ij", force, branch)[:dimension, :dimension] / volume_of(run, row)


def stress_profile(run, row, axis, slices=20):
    """Middle of each slice across `axis` [m], and the normal stresses there [slice, 3]. Half of a pair's product belongs to each of its
    particles, the product of a wall contact to its particle; a particle belongs to the slice of its centre, in a periodic box to that of
    its image in the box."""
    first, second, force, branch = _branches(run, row)
    product = force * branch
    of_particle = np.zeros((run.beads, 3))
    inside = second >= 0
    np.add.at(of_particle, first, np.where(inside[:, None], 0.5, 1.0) * product)
    np.add.at(of_particle, second[inside], 0.5 * product[inside])
    low, high = extent_of(run, row)
    edges, place = np.linspace(low[axis], high[axis], slices + 1), run["position"][row][:, axis]
    if edges_of(run, row)[axis, axis]:
        place = low[axis] + np.mod(place - low[axis], high[axis] - low[axis])
    at = np.clip(np.searchsorted(edges, place, side="right") - 1, 0, slices - 1)
    sums = np.stack([np.bincount(at, of_particle[:, k], minlength=slices) for k in range(3)], axis=1)
    return 0.5 * (edges[1:] + edges[:-1]), sums / (volume_of(run, row) / slices)
