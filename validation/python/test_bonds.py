"""Bonds of chains, from Python: what is recorded of them, arrays and files, steps, resume and sweeps."""
import math
import signal
import subprocess
import sys

import numpy as np

import beadwave as bw
from beadwave import _convert
from support import CONFIGS, PROGRAM, SOURCES, InFolder, main, program

sys.path.insert(0, str(SOURCES / "validation" / "support"))
from held import Held  # noqa: E402

STEEL = {"youngs_modulus": 193e9, "poisson_ratio": 0.3}
STIFFNESS, MASS = 1e6, 0.45e-3


def parting(**bond):
    """Two beads that part at 0.1 m/s."""
    return bw.Chain(radius=[2e-3, 2e-3], mass=[MASS, MASS], velocity=[-0.05, 0.05], law="hertz", material=STEEL,
                    time={"end": 4e-5, "step": 1e-8}, snapshots={"interval": 1e-6}, energy={"interval": 5e-6},
                    bond=[{"stiffness": STIFFNESS, **bond}])


class Bonds(InFolder):
    def test_a_bond_swings_as_the_oscillator_and_its_force_is_recorded(self):
        run = parting().run()
        omega = math.sqrt(2 * STIFFNESS / MASS)
        stretch = 0.1 / omega * np.sin(omega * np.asarray(run["snapshot_time"]))
        force = np.asarray(run["bond_force"])
        self.assertEqual(list(run["bond_contact"]), [1])
        self.assertEqual(force.shape, (41, 1))
        self.assertLess(np.abs(force[:, 0] - STIFFNESS * stretch).max(), 1e-6 * STIFFNESS * 0.1 / omega)
        self.assertEqual(len(run["broken_bonds/contact"]), 0)

    def test_a_broken_bond_is_in_the_ledger_and_in_the_file_with_its_time(self):
        run = parting(strength=1.0).run()
        omega = math.sqrt(2 * STIFFNESS / MASS)
        time = math.asin(omega * 1.0 / STIFFNESS / 0.1) / omega
        self.assertEqual(list(run["broken_bonds/contact"]), [1])
        broken = float(run["broken_bonds/break_time"][0])
        self.assertTrue(time < broken < time + 1.5e-8, (time, broken))
        energy = float(run["broken_bonds/broken_energy"][0])
        self.assertLess(abs(energy / (0.5 / STIFFNESS) - 1), 4e-3)
        self.assertEqual(float(run["broken_energy"][-1]), energy)
        self.assertLess(abs(float(run["dissipated_energy"][-1]) / energy - 1), 1e-9)
        # The first sample of the ledger after it has the row.
        splits, times = np.asarray(run["broken_bonds/row_splits"]), np.asarray(run["energy_time"])
        self.assertEqual(len(splits), len(times) + 1)
        row = int(np.flatnonzero(np.diff(splits))[0])
        self.assertTrue(times[row - 1] < broken <= times[row])
        self.assertEqual(float(run["bond_force"][-1][0]), 0.0)
        run.save("history.h5")
        with bw.History("history.h5") as history:
            for name in ("bond_contact", "bond_force", "broken_energy", "broken_bonds/contact", "broken_bonds/break_time",
                         "broken_bonds/broken_energy", "broken_bonds/row_splits"):
                np.testing.assert_array_equal(history[name], run[name])

    def test_a_stated_gap_stretches_the_bond_and_tension_only_lets_the_beads_come_back(self):
        pulled = parting(gap=-2e-6)
        self.assertLess(abs(pulled.energy()["initial"] / (0.5 * STIFFNESS * 4e-12 + 0.25 * MASS * 0.01) - 1), 1e-12)
        force = np.asarray(parting(tension_only=True).run()["bond_force"])
        self.assertTrue(0.0 <= force.min() < 0.5 < force.max())

    def test_a_saved_state_continues_to_the_bit(self):
        bonds = [{"contacts": [1, 6], "stiffness": 1e6, "damping": 0.3, "strength": 2.0},
                 {"contacts": [7, 11], "every": 2, "stiffness": 2e6, "strength": 4.0, "tension_only": True}]
        steps = bw.Chain(radius=np.full(12, 2.38e-3), mass=np.full(12, MASS), velocity=[0.5] + 11 * [0.0], law="hertz", material=STEEL,
                         time={"end": 1e-4, "step": 1e-8}, bond=bonds)
        steps.run(11000)
        self.assertGreater(steps.energy()["broken"], 0.0)
        self.assert_continues(steps, 3000, ("displacement", "velocity", "contact_force"))

    def test_an_interrupted_run_has_the_broken_bonds_of_an_uninterrupted_one(self):
        config = CONFIGS / "bonded_chain.toml"
        whole = bw.Chain.load(config).run(output="whole.h5")
        self.assertGreater(len(whole["broken_bonds/contact"]), 10)
        step = int(0.85 * whole.result["steps"])
        with Held([PROGRAM, "run", str(config), "-o", "part.h5", "--quiet"], [step], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            self.assertTrue(run.held)
            self.assertEqual(run.end_by(signal.SIGINT), 1)
        part = bw.History("part.h5")
        self.assertTrue(0 < len(part["broken_bonds/contact"]) < len(whole["broken_bonds/contact"]))
        part.close()
        program("resume", "part.h5.checkpoint.h5")
        with bw.History("part.h5") as again:
            for name in ("broken_bonds/contact", "broken_bonds/break_time", "broken_bonds/broken_energy", "broken_bonds/row_splits",
                         "bond_force", "broken_energy", "velocity"):
                np.testing.assert_array_equal(again[name], whole[name])

    def test_a_sweep_varies_the_strength_of_a_bond(self):
        swept = bw.sweep(CONFIGS / "bonded_chain.toml", {"bond.0.strength": [20.0, 45.0]})
        broken = swept["broken_energy"]
        self.assertGreater(broken[0], 0.0)
        self.assertEqual(broken[1], 0.0)

    def test_what_does_not_go_with_bonds_is_refused(self):
        one_sided = ("modes", CONFIGS / "bonded_chain.toml", "--set", "bond.0.tension_only=true")
        self.assertIn("is for tension only and has none at the start", program(*one_sided, status=2)[1])

    def test_the_axes_of_bonds_have_names(self):
        run = parting().run()
        for name, axes in (("bond_force", ("snapshot_time", "bond")), ("bond_contact", ("bond",)), ("broken_energy", ("energy_time",)),
                           ("broken_bonds/contact", None)):
            self.assertEqual(_convert.dimensions(run, name, np.asarray(run[name]).shape), axes)


if __name__ == "__main__":
    main()
