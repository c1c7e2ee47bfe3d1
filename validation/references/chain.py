"""WangLiu2022 section 5.2: 71 beads, the first at 1.77 m/s, under hertz and ma-liu, by velocity Verlet.

Needs numpy and takes a minute.
"""
import numpy as np

from csv_file import Reference
from elastoplastic import ma_liu

BEADS, R, MASS, SPEED, END, STEP = 71, 1.19e-3, 0.45e-3, 1.77, 700e-6, 5e-9
E, SIGMA, PSI, XI = 193e9 / (2 * (1 - 0.3 ** 2)), 900e6, 2.84, 13.0
K = 4 / 3 * E * np.sqrt(R)


def hertz():
    return lambda d: K * np.maximum(d, 0.0) ** 1.5


class MaLiuContacts:
    """All contacts: the virgin curve beyond the largest overlap, the unloading path below it."""

    def __init__(self):
        y, force, _ = ma_liu(R, E, SIGMA, PSI, XI)
        s, p = np.log(XI ** 2 / 2), 1.61 * SIGMA
        self.y, self.end = y, XI ** 2 / 2 * y
        self.c1 = (p * (1 + s) - 2 * PSI * SIGMA) / s * np.pi * R
        self.c2 = (2 * PSI * SIGMA - p) / s * np.pi * R
        self.c3 = K * y ** 1.5 - self.c1 * y
        if abs(force(9 * y) / (9 * y * (self.c1 + self.c2 * np.log(9)) + self.c3) - 1) > 1e-12:
            raise ValueError("two forms of one curve differ")
        self.largest, self.residual = np.zeros(BEADS - 1), np.zeros(BEADS - 1)
        self.stiffness = np.full(BEADS - 1, K)

    def __call__(self, d):
        loads = np.flatnonzero(d > np.maximum(self.largest, 1e-30))
        force = self.stiffness * np.maximum(d - self.residual, 0.0) ** 1.5
        if loads.size:
            x = d[loads]
            if x.max() >= self.end:
                raise ValueError("the third phase is not needed here and is not implemented")
            z = np.maximum(x, self.y)
            virgin = np.where(x < self.y, K * x ** 1.5, z * (self.c1 + self.c2 * np.log(z / self.y)) + self.c3)
            flat = K * x ** 1.5 / virgin  # R_u/R
            force[loads] = virgin
            self.largest[loads] = x
            self.stiffness[loads] = K * np.sqrt(flat)
            self.residual[loads] = x - (virgin / self.stiffness[loads]) ** (2 / 3)
        return force


class Peaks:
    """The largest value of each column so far, from the parabola through three samples, and its time."""

    def __init__(self, columns):
        self.value, self.time = np.zeros(columns), np.zeros(columns)
        self.first, self.second = np.zeros(columns), np.zeros(columns)

    def add(self, step, third):
        first, second = self.first, self.second
        k = np.flatnonzero((second > self.value) & (second >= third) & (second > first))
        if k.size:
            bend, tilt = 2 * second[k] - first[k] - third[k], third[k] - first[k]
            self.value[k] = second[k] + tilt ** 2 / (8 * bend)
            self.time[k] = STEP * (step - 1 + 0.5 * tilt / bend)
        self.first, self.second = second, third


def run(law):
    """Peaks of every bead: sensor force, force of the contact before it, velocity."""
    force = MaLiuContacts() if law == "ma-liu" else hertz()
    u, v, a = np.zeros(BEADS), np.zeros(BEADS), np.zeros(BEADS)
    v[0] = SPEED
    sensor, before, fastest = Peaks(BEADS), Peaks(BEADS), Peaks(BEADS)
    contact = np.zeros(BEADS + 1)
    for step in range(1, round(END / STEP) + 1):
        v += 0.5 * STEP * a
        u += STEP * v
        contact[1:-1] = force(u[:-1] - u[1:])  # contact[b]: between b - 1 and b
        a = (contact[:-1] - contact[1:]) / MASS
        v += 0.5 * STEP * a
        sensor.add(step, 0.5 * (contact[:-1] + contact[1:]))
        before.add(step, contact[:-1].copy())
        fastest.add(step, v.copy())
    return sensor, before, fastest


RUNS = {}


def peaks(row):
    law, bead = row["law"], int(row["bead"])
    if law not in RUNS:
        RUNS[law] = run(law)
    sensor, before, fastest = RUNS[law]
    return {"peak_sensor_force_N": f"{sensor.value[bead]:.3f}", "peak_contact_force_N": f"{before.value[bead]:.3f}",
            "peak_sensor_force_time_us": f"{1e6 * sensor.time[bead]:.2f}",
            "peak_velocity_m_per_s": f"{fastest.value[bead]:.5f}"}


REFERENCES = [Reference("papers/wangliu2022/chain70.csv", peaks)]
