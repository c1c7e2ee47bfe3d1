"""Impacts of packings and the wear of their walls, from runs in memory and from histories, against closed forms."""
import numpy as np

import beadwave as bw
from support import InFolder, check_tables, main, stand_ins

RADIUS, DENSITY = 5e-3, 2500.0
MASS = 4 / 3 * np.pi * RADIUS**3 * DENSITY
GLASS = {"youngs_modulus": 1e9, "poisson_ratio": 0.25, "density": DENSITY}


class Impacts(InFolder):
    def test_the_numbers_of_one_impact_are_those_of_the_damped_oscillator(self):
        """Two spheres without gravity, that end where the overlap ends; collide() of the same law agrees."""
        stiffness, ratio, speed = 2e4, 0.05, 0.6
        undamped = np.sqrt(stiffness / (MASS / 2))
        law = {"name": "kelvin-voigt", "stiffness": stiffness, "restitution": "from-damping", "damping": ratio * MASS * undamped,
               "separation": "gap"}
        run = bw.Packing([[0, 0, 0], [2 * RADIUS + 1e-4, 0, 0]], RADIUS, velocity=[[speed, 0, 0], [0, 0, 0]], law=law, material=GLASS,
                         time={"end": 4e-3, "step": 1e-7}, dissipation={"impacts": True}).run()
        run.save("one.h5")
        damped = undamped * np.sqrt(1 - ratio**2)
        restitution = np.exp(-ratio * undamped * np.pi / damped)
        # The step acts on the dashpot at first order: c dt / m is 1e-5.
        for recorded in (run, bw.History("one.h5")):
            table = recorded.impacts
            self.assertEqual([table["first"].tolist(), table["second"].tolist()], [[0], [1]])
            np.testing.assert_allclose(table["start"], 1e-4 / speed, rtol=1e-9)
            np.testing.assert_allclose(table["end"] - table["start"], np.pi / damped, rtol=1e-4)
            np.testing.assert_allclose(table["impact_speed"], speed, rtol=1e-12)
            np.testing.assert_allclose(table["impact_slip_speed"], 0, atol=1e-15)
            np.testing.assert_allclose(table["separation_speed"], restitution * speed, rtol=1e-4)
            np.testing.assert_allclose(table["restitution"], restitution, rtol=1e-4)
            np.testing.assert_allclose(table["normal_dissipation"], MASS / 4 * speed**2 * (1 - restitution**2), rtol=1e-4)
            self.assertEqual([recorded.unit(f"impacts/{name}") for name in ("peak_force", "start")], ["N", "s"])
            self.assertEqual(recorded["impact_spectrum"][-1].sum(), 1)
            self.assertEqual(recorded["impact_spectrum_edges"].shape[0], recorded["impact_spectrum"].shape[1] + 1)
            self.assertFalse([name for name in recorded.energy.names if name.startswith("impact")])
        hit = bw.collide({"speed": speed, "contact": {"stiffness": 1e9, "effective_mass": MASS / 2}, "law": law})
        np.testing.assert_allclose(run.impacts["restitution"], hit["restitution"], rtol=1e-4)
        np.testing.assert_allclose(run.impacts["peak_force"], hit["max_force"], rtol=1e-4)

    def test_a_table_of_pandas_has_the_impacts_of_all_contacts(self):
        """A ball that bounces on a wall comes back more slowly each time."""
        run = bw.Packing([[0, 0, 2 * RADIUS]], RADIUS, law={"name": "tsuji", "restitution": 0.8}, material=GLASS,
                         wall=[{"point": [0, 0, 0], "normal": [0, 0, 1], "material": "material"}],
                         gravity={"acceleration": [0, 0, -9.81]}, time={"end": 0.15, "step": 2e-6}, dissipation={"impacts": True}).run()
        table = run.impacts
        self.assertGreater(len(table["start"]), 1)
        self.assertEqual(set(table["second"].tolist()), {1})
        np.testing.assert_allclose(table["impact_speed"][0], np.sqrt(2 * 9.81 * RADIUS), rtol=1e-6)
        np.testing.assert_allclose(table["impact_speed"][1:], table["separation_speed"][:-1], rtol=1e-4)
        np.testing.assert_allclose(table["restitution"], 0.8, rtol=0.01)
        lost = sum(table[f"{part}_dissipation"].sum() for part in ("normal", "sliding", "rolling", "twisting"))
        np.testing.assert_allclose(sum(run.result["impacts"]["energy"].values()), lost, rtol=1e-12)
        check_tables(self, run)
        with stand_ins():
            data, _, _ = run.to_pandas("impacts")
        self.assertEqual({name: list(numbers) for name, numbers in data.items() if name != "restitution"},
                         {name: list(numbers) for name, numbers in table.items() if name != "restitution"})

    def test_a_wall_that_slides_wears_as_archard_says(self):
        """A sphere that a drive moves along a wall, `depth` deep: k F s / H, F by Hertz."""
        depth, speed, end, coefficient, hardness = 2e-6, 0.5, 1e-3, 2e-4, 3e9
        run = bw.Packing([[0, 0, RADIUS - depth]], RADIUS, law="hertz", friction={"law": "mindlin", "coefficient": 0.2}, material=GLASS,
                         drive=[{"particles": "all", "velocity": [speed, 0, 0], "axes": [True, False, True]}],
                         wall=[{"point": [0, 0, 0], "normal": [0, 0, 1], "material": "material"}],
                         time={"end": end, "step": 1e-6},
                         wear={"law": "archard", "coefficient": coefficient, "hardness": hardness}).run()
        run.save("worn.h5")
        force = 4 / 3 * 1e9 / (2 * (1 - 0.25**2)) * np.sqrt(RADIUS) * depth**1.5
        for recorded in (run, bw.History("worn.h5")):
            self.assertEqual(recorded.unit("wall_wear"), "m3")
            np.testing.assert_allclose(recorded["wall_wear"][:, 0], coefficient * force * speed * recorded["energy_time"] / hardness,
                                       rtol=1e-9, atol=1e-30)
            check_tables(self, recorded)
        np.testing.assert_allclose(run.result["wall_wear"], [coefficient * force * speed * end / hardness], rtol=1e-9)


if __name__ == "__main__":
    main()
