"""Heat of packings, and wear by impacts, from runs in memory, from histories and step by step, against closed forms."""
import numpy as np

import beadwave as bw
from support import InFolder, check_tables, main, program

RADIUS, DENSITY = 5e-3, 2500.0
MASS = 4 / 3 * np.pi * RADIUS**3 * DENSITY
GLASS = {"youngs_modulus": 1e9, "poisson_ratio": 0.25, "density": DENSITY, "specific_heat": 2e-3, "conductivity": 40.0}
FLOOR = {"point": [0, 0, 0], "normal": [0, 0, 1], "material": "material"}


class Heat(InFolder):
    def resting(self, wall):
        """A sphere at rest under its weight on a floor, and the rate at which it takes the temperature of the floor."""
        modulus = 1e9 / (2 * (1 - 0.25**2))
        depth = (0.75 * MASS * 9.81 / (modulus * np.sqrt(RADIUS)))**(2 / 3)
        rate = 2 * 40.0 * np.sqrt(RADIUS * depth) / (MASS * 2e-3)
        packing = bw.Packing([[0, 0, RADIUS - depth]], RADIUS, law="hertz", material=GLASS, wall=[FLOOR | wall],
                             gravity={"acceleration": [0, 0, -9.81]}, heat={"temperature": 300.0}, snapshots={"interval": 0.1 / rate},
                             time={"end": 1 / rate, "step": 1e-3 / rate})
        return packing, rate

    def test_a_sphere_takes_the_temperature_of_its_floor(self):
        packing, rate = self.resting({"temperature": 400.0})
        run = packing.run()
        run.save("warm.h5")
        for recorded in (run, bw.History("warm.h5")):
            self.assertEqual(recorded.unit("temperature"), "K")
            # Heun's step: (1e-3)^2 / 6 of the difference, which is a tenth of the temperature.
            expected = 400 - 100 * np.exp(-rate * recorded["snapshot_time"])
            np.testing.assert_allclose(recorded["temperature"][:, 0], expected, rtol=5e-8)
            np.testing.assert_allclose(recorded["particle_heat"] + recorded["wall_heat"][:, 0], 0, atol=1e-15)
            check_tables(self, recorded)
        program("export", "warm.h5", "-o", "warm.csv")
        with open("warm.csv", encoding="utf-8") as table:
            header, *_, last = table.read().split()
        column = next(i for i, name in enumerate(header.split(",")) if name.startswith("temperature"))
        self.assertEqual(float(last.split(",")[column]), run["temperature"][-1, 0])
        heat = run.result["heat"]
        np.testing.assert_allclose(heat["particles"], MASS * 2e-3 * (run["temperature"][-1, 0] - 300), rtol=1e-9)
        self.assertEqual(heat["mean_temperature"], run["temperature"][-1, 0])
        stepped, _ = self.resting({"temperature": 400.0})
        stepped.run(500)
        np.testing.assert_allclose(stepped.temperature, 400 - 100 * np.exp(-0.5), rtol=5e-8)
        stepped.run(500)
        np.testing.assert_array_equal(stepped.temperature, run["temperature"][-1])

    def test_without_heat_there_are_no_temperatures(self):
        bare = {name: value for name, value in GLASS.items() if name not in ("specific_heat", "conductivity")}
        packing = bw.Packing([[0, 0, 0]], RADIUS, law="hertz", material=bare, time={"end": 1e-4, "step": 1e-6})
        packing.run(1)
        self.assertEqual(packing.temperature.shape, (0,))

    def test_an_oblique_impact_cuts_as_finnie_says(self):
        coefficient, pressure = 0.05, 2e9
        for degrees in (10.0, 50.0):
            angle = np.radians(degrees)
            velocity = [2 * np.cos(angle), 0, -2 * np.sin(angle)]
            run = bw.Packing([[0, 0, RADIUS + 1e-5]], RADIUS, velocity=[velocity], law="hertz", material=GLASS, wall=[FLOOR],
                             time={"end": 1e-3, "step": 1e-7},
                             wear={"law": "finnie", "coefficient": coefficient, "flow_pressure": pressure}).run()
            part = np.sin(2 * angle) - 3 * np.sin(angle)**2 if np.tan(angle) < 1 / 3 else np.cos(angle)**2 / 3
            np.testing.assert_allclose(run.result["wall_wear"], [coefficient / pressure * MASS * 4 * part], rtol=1e-9)
            self.assertNotIn("impacts", run.result)


if __name__ == "__main__":
    main()
