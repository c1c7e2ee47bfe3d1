"""Runs that several processes share, here by one: what each_snapshot gets is what the history has; stops, resumes and errors."""
import re

import numpy as np

import beadwave as bw
from support import CHAIN, CONFIGS, SHORT, InFolder, main
from compare_histories import differences, of_file  # support adds its folder to the path

POURED = CONFIGS / "silo.toml"


class Shared(InFolder):
    def test_each_snapshot_gets_what_the_history_has(self):
        packing = {"time.end": 0.02, "snapshots.interval": 5e-3}
        for file, settings in ((CHAIN, {**SHORT, "snapshots.interval": 2e-5}), (POURED, packing)):
            with self.subTest(file.name):
                seen = []
                job = bw.load_shared(file, overrides=settings)
                self.assertEqual((job.process, job.processes), (0, 1))
                run = job.run("shared.h5", each_snapshot=lambda part, to=seen: to.append(
                    (part.step, part.time, part.numbers, part.position, part.velocity, part.angular_velocity)))
                self.assertEqual(len(seen), len(run.snapshots))
                self.assertGreater(len(seen), 3)
                for k, (step, time, numbers, position, velocity, spin) in enumerate(seen):
                    self.assertEqual((step, time), (run.snapshots.step[k], run.snapshots.time[k]))
                    self.assertEqual(velocity.tobytes(), np.ascontiguousarray(run.snapshots.velocity[k][numbers]).tobytes())
                    self.assertEqual(position.tobytes(), np.ascontiguousarray(run["position"][k][numbers]).tobytes())
                    if position.ndim == 2:
                        self.assertEqual(spin.tobytes(), np.ascontiguousarray(run.snapshots.angular_velocity[k][numbers]).tobytes())
                    else:
                        self.assertEqual(len(spin), 0)
                        self.assertEqual(numbers.tolist(), list(range(len(numbers))))
                bw.load(file, overrides=settings).run(output="alone.h5")
                self.assertEqual(list(differences(of_file("alone.h5"), of_file("shared.h5"))), [])

    def test_what_each_snapshot_raises_stops_the_run_with_a_checkpoint(self):
        settings = {**SHORT, "snapshots.interval": 1e-7}
        bw.load(CHAIN, overrides=settings).run(output="whole.h5")

        seen = []

        def stop(part):
            seen.append(part.time)
            if part.time > 2.5e-5:
                raise LookupError(f"seen enough at step {part.step}")
        with self.assertRaisesRegex(LookupError, "seen enough"):
            bw.load_shared(CHAIN, overrides=settings).run("cut.h5", each_snapshot=stop)
        self.assertEqual(sum(time > 2.5e-5 for time in seen), 1)  # it is not called again
        later = []
        run = bw.resume_shared("cut.h5.checkpoint.h5").run(each_snapshot=lambda part: later.append(part.time))
        self.assertGreater(min(later), 2.5e-5)
        self.assertEqual(later, run.snapshots.time[-len(later):].tolist())
        self.assertEqual(list(differences(of_file("whole.h5"), of_file("cut.h5"))), [])

    def test_errors(self):
        def yielding(part):
            yield part

        with open("bare.toml", "w", encoding="utf-8") as file:
            file.write(re.sub(r"(?ms)^\[snapshots\].*?(?=^\[|\Z)", "", CHAIN.read_text(encoding="utf-8")))
        job = bw.load_shared("bare.toml", overrides=SHORT)
        for call, words in ((lambda: job.run(), "output is missing"),
                            (lambda: job.run("x.h5", each_snapshot=3), "each_snapshot is no function"),
                            (lambda: job.run("x.h5", each_snapshot=yielding), "each_snapshot yields or waits"),
                            (lambda: job.run("x.h5", threads=4097), "threads: is 4097; expected a whole number from 0 to 4096"),
                            (lambda: job.run("x.h5", each_snapshot=print), "each_snapshot: this scenario has none; give snapshots.interval"),
                            (lambda: bw.load_shared(CONFIGS / "slider_crank.toml").run("x.h5", each_snapshot=print), "each_snapshot: is for chains"),
                            (lambda: bw.load_shared("missing.toml"), "missing.toml: no such file"),
                            (lambda: bw.resume_shared(CHAIN), "chain70.toml")):
            with self.subTest(words), self.assertRaisesRegex(bw.InputError, words):
                call()


if __name__ == "__main__":
    main()
