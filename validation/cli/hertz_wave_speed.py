#!/usr/bin/python3
"""The wave speed [m/s] of configs/chain70.toml under Hertz's law, computed apart from beadwave: the equations of motion by
Runge-Kutta-Nystrom of fourth order, and a straight line through the arrivals at the sensors 16 to 56. Prints one number."""
import numpy as np

modulus, poisson, radius, mass, speed, beads = 193e9, 0.3, 2.38e-3, 0.45e-3, 1.77, 71
stiffness = 4 / 3 * np.sqrt(radius / 2) * modulus / (2 * (1 - poisson**2))
step, end = 5e-8, 500e-6


def contact_force(u):
    return np.concatenate([[0.0], stiffness * np.maximum(u[:-1] - u[1:], 0.0) ** 1.5, [0.0]])


def acceleration(u):
    force = contact_force(u)
    return (force[:-1] - force[1:]) / mass


u, v = np.zeros(beads), np.zeros(beads)
v[0] = speed
felt = []
for _ in range(round(end / step)):
    force = contact_force(u)
    felt.append(0.5 * (force[:-1] + force[1:]))
    a1 = acceleration(u)
    a2 = acceleration(u + step / 2 * v)
    a3 = acceleration(u + step / 2 * v + step**2 / 4 * a1)
    a4 = acceleration(u + step * v + step**2 / 2 * a2)
    u, v = u + step * v + step**2 / 6 * (a1 + a2 + a3), v + step / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
felt = np.array(felt)


def arrival(bead):
    k = felt[:, bead].argmax()
    before, top, after = felt[k - 1:k + 2, bead]
    return (k + 0.5 * (before - after) / (before - 2 * top + after)) * step


sensors = np.array([16, 24, 31, 40, 50, 56])
print(1.0 / np.polyfit(2 * radius * sensors, [arrival(bead) for bead in sensors], 1)[0])
