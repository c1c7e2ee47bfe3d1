"""Errors are exceptions with the message of the command line; the package prints nothing and does not exit."""
import contextlib
import os
import random
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import unittest

import h5py
import numpy as np

import beadwave as bw
from support import CHAIN, CONFIGS, SANITISED, SHORT, InFolder, main, program
from compare_histories import differences, of_file  # support adds its folder to the path

STEEL = {"youngs_modulus": 2e11, "poisson_ratio": 0.3}


@contextlib.contextmanager
def interrupt_when_working():
    """Sends SIGINT once this process has computed for 0.3 s. Gives a list with the processor time at that moment."""
    began, ended, sent = time.process_time(), threading.Event(), []

    def watch():
        while not ended.wait(0.01):
            if time.process_time() - began > 0.3:
                sent.append(time.process_time())
                os.kill(os.getpid(), signal.SIGINT)
                return

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield sent
    finally:
        ended.set()
        thread.join()


class Errors(InFolder):
    def message(self, *words, status):
        return program(*words, status=status)[1].strip().removeprefix("beadwave: ")

    def test_messages_are_those_of_the_command_line(self):
        cases = (({"law.name": "ma-lui"}, bw.InputError, 2), ({"segment.1.beeds": 3}, bw.InputError, 2),
                 ({"time.step": 1.0}, bw.InputError, 2), ({"time.step": 1e-4}, bw.InputError, 2))
        for values, kind, status in cases:
            expected = self.message("run", CHAIN, "-o", "x.h5", "--set", *(f'{k}={v}' if not isinstance(v, str) else f'{k}="{v}"'
                                                                            for k, v in values.items()), status=status)
            with self.assertRaises(kind) as raised:
                bw.Chain.load(CHAIN, overrides=values)
            self.assertEqual(str(raised.exception), expected)

    def test_a_run_that_fails(self):
        values = {"segment.0.velocity": 1e200}
        expected = self.message("run", CHAIN, "-o", "x.h5", "--quiet", *(w for k, v in values.items() for w in ("--set", f"{k}={v}")),
                                status=1)
        with self.assertRaises(bw.RunError) as raised:
            bw.Chain.load(CHAIN, overrides=values).run()
        self.assertEqual(str(raised.exception), expected)

    def test_a_run_of_years_needs_consent(self):
        """1.2e15 steps: 142 days at the least."""
        overrides = {"time.step": 2.6e-18}
        years = bw.load(CONFIGS / "driven.toml", overrides)
        with self.assertRaisesRegex(bw.InputError, r"takes at least 142 days; .*yes=True"):
            years.run()
        with self.assertRaisesRegex(bw.InputError, r"the sweep of 2 runs takes at least .* days"):
            bw.sweep(CONFIGS / "driven.toml", {"precompression.force": [20, 21]}, overrides=overrides, threads=1)

        class Started(Exception):
            """Ends the run from its first progress."""

        def stop(*_):
            raise Started

        with self.assertRaises(Started):
            years.run(yes=True, progress=stop)

    def test_systems_and_names(self):
        with self.assertRaisesRegex(bw.InputError, "is a packing, not a chain"):
            bw.Chain.load(CONFIGS / "square_crystal.toml")
        with self.assertRaisesRegex(bw.InputError, "no such file"):
            bw.load("nowhere.toml")
        with self.assertRaisesRegex(bw.InputError, "not a history"):
            bw.History(CHAIN)
        with self.assertRaisesRegex(bw.InputError, 'did you mean "hertz"'):
            bw.laws("herz")
        self.assertTrue(issubclass(bw.InputError, ValueError) and issubclass(bw.RunError, RuntimeError))

    def test_a_history_of_an_earlier_version(self):
        bw.Chain.load(CHAIN, overrides=SHORT).run(output="old.h5")
        with h5py.File("old.h5", "r+") as file:
            del file["parameters/format_version"]
            file.move("observables/external_work", "observables/work")
        expected = self.message("watch", "old.h5", "--once", status=2)
        self.assertIn("(work is now external_work)", expected)
        with self.assertRaises(bw.InputError) as raised:
            bw.History("old.h5")
        self.assertEqual(str(raised.exception), expected)

    def test_a_damaged_history_is_one_input_error(self):
        bw.Chain.load(CHAIN, overrides=SHORT).run(output="good.h5")

        def version_is_a_text(file):
            del file["parameters/format_version"]
            file["parameters/format_version"] = "two"

        def replaced(name, value):
            def change(file):
                del file[name]
                if value is None:
                    file.create_group(name)
                else:
                    file[name] = value
            return change

        def without(name):
            return lambda file: file.__delitem__(name)
        changes = [version_is_a_text, without("parameters/system"), without("parameters/law"), without("particles/beads"),
                   without("observables/sensor_force/time"), without("observables/sensor_force/beads")]
        changes += [replaced(name, value) for name in ("parameters/system", "parameters/scenario", "parameters/time_step", "particles",
                                                       "particles/beads/radius", "observables/sensor_force/value",
                                                       "observables/kinetic_energy", "observables")
                    for value in (None, 3.5, "text", [b"a", b"b"])
                    if not (name == "parameters/time_step" and value == 3.5)]
        with open("good.h5", "rb") as file:
            good = file.read()
        for number, change in enumerate(changes):
            with open("bad.h5", "wb") as file:
                file.write(good)
            with h5py.File("bad.h5", "r+") as file:
                change(file)
            with self.subTest(number):
                try:
                    with bw.History("bad.h5") as history:
                        for name in history:
                            np.asarray(history[name])
                            history.unit(name)
                except bw.InputError as error:
                    self.assertRegex(str(error), r"^bad\.h5: ")
        for seed in range(20 if SANITISED else 40):  # bytes at random, and files that are cut
            generator = np.random.default_rng(seed)
            bad = bytearray(good)
            for place in generator.integers(0, len(bad) if seed % 2 else 20000, 300):
                bad[place] = generator.integers(0, 256)
            with open("bad.h5", "wb") as file:
                file.write(bad if seed % 3 else bad[:generator.integers(0, len(bad))])
            with self.subTest(seed=seed):
                try:
                    with bw.History("bad.h5") as history:
                        for name in history:
                            np.asarray(history[name])
                            history.unit(name)
                except bw.InputError as error:
                    self.assertRegex(str(error), r"^bad\.h5: ")

    def test_hundreds_of_damaged_histories(self):
        """Cut, flipped and emptied, also in the heaps of texts, which HDF5 does not check. Each is read in a process of its own."""
        bw.Chain.load(CHAIN, overrides=SHORT).run(output="good.h5")
        with open("good.h5", "rb") as file:
            good = file.read()
        other, signals = [], []
        for seed in range(60 if SANITISED else 140):
            dice, bad = random.Random(seed), bytearray(good)
            kind = dice.randrange(4)
            if kind == 0:
                bad = bad[:dice.randrange(len(bad))]
            elif kind == 1:
                for _ in range(dice.choice((1, 2, 8, 300))):
                    bad[dice.randrange(dice.choice((30000, len(bad))))] ^= 1 << dice.randrange(8)
            elif kind == 2:
                at, size = dice.randrange(len(bad)), dice.choice((8, 512, 4096))
                bad[at:at + size] = bytes(len(bad[at:at + size]))
            else:
                heaps = [match.start() for match in re.finditer(b"GCOL", good)]
                for _ in range(dice.choice((1, 1, 2, 20))):
                    bad[dice.choice(heaps) + dice.randrange(dice.choice((64, 4096)))] ^= 1 << dice.randrange(8)
            with open("bad.h5", "wb") as file:
                file.write(bad)
            child = os.fork()
            if child == 0:
                status = 2
                try:
                    with bw.History("bad.h5") as history:
                        for name in history:
                            np.asarray(history[name])
                            history.unit(name)
                        str((history.scenario, history.law, history.time_step, history.warnings, history.energy.names))
                    status = 0
                except bw.InputError as error:
                    status = 0 if str(error).startswith("bad.h5: ") and "\n" not in str(error) else 1
                finally:
                    os._exit(status)
            _, status = os.waitpid(child, 0)
            if os.WIFSIGNALED(status):
                signals.append(seed)
            if os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0:
                other.append(seed)
        self.assertEqual(other, [])
        self.assertEqual(signals, [])

    def test_arguments_of_a_wrong_type(self):
        chain = bw.Chain.load(CHAIN, overrides=SHORT)
        whole = "expected a whole number from 0"
        of_file = "scenario: is 5; expected the name of a file, a dictionary, or what load() returned"
        cases = (
            (lambda: bw.fit(5, "m.csv", {"law.psi": (2, 3)}), of_file),
            (lambda: bw.sweep(5, {"law.psi": [2]}), of_file),
            (lambda: bw.compare(5, ["hertz"]), of_file),
            (lambda: bw.compare(CHAIN, "hertz"), "laws: is 'hertz'; expected a list of texts"),
            (lambda: bw.fit(CHAIN, None, {}), "measured: is None; expected the name of a file, (time, force), or a dictionary "
                                              '{"time": times, 9: forces, ...}'),
            (lambda: bw.fit(CHAIN, "m.csv", {"law.psi": 2}), "bounds: law.psi: is 2; expected two numbers, (low, high)"),
            (lambda: bw.fit(CHAIN, "m.csv", {}, noise="loud"), "noise: is 'loud'; expected a number or a list of numbers, in N"),
            (lambda: bw.fit(CHAIN, "m.csv", {}, multistart=1.5), f"multistart: is 1.5; {whole}"),
            (lambda: bw.sweep(CHAIN, {"law.psi": 2}),
             'vary: law.psi: is 2; expected a list of values, or a text such as "2.6:3.0:9"'),
            (lambda: bw.load(5), "scenario: is 5; expected the name of a file, or a dictionary"),
            (lambda: bw.load(None), "scenario: is None; expected the name of a file, or a dictionary"),
            (lambda: bw.load({"law": {"name": None}}), "law.name: is None; expected a number, a text, a list or a table"),
            (lambda: bw.load(CHAIN, overrides={"law.psi": None}),
             "overrides: law.psi: is None; expected a number, a text, a list or a table"),
            (lambda: bw.load(CHAIN, overrides=["law.psi=2"]),
             'overrides: is [\'law.psi=2\']; expected a dictionary whose keys are texts, such as {"law.psi": ...}'),
            (lambda: bw.resume(None), "checkpoint: is None; expected the name of a file"),
            (lambda: bw.watch(3), "history: is 3; expected the name of a file"),
            (lambda: bw.History(None), "path: is None; expected the name of a file"),
            (lambda: bw.report(3), "histories: is 3; expected the name of a file"),
            (lambda: bw.laws(3), "laws: is 3; expected the name of a law"),
            (lambda: bw.collide(3), "case: is 3; expected the name of a file, or a dictionary"),
            (lambda: chain.run(threads=1.5), f"threads: is 1.5; {whole} to 4096"),
            (lambda: chain.run(threads=-1), f"threads: is -1; {whole} to 4096"),
            (lambda: chain.run(threads=None), f"threads: is None; {whole} to 4096"),
            (lambda: chain.run(5, threads=-1), f"threads: is -1; {whole} to 4096"),
            (lambda: bw.sweep(CHAIN, {}, threads=-1), f"threads: is -1; {whole} to 4096"),
            (lambda: chain.run(1.5), "run(1.5): expected a whole number of steps, from 0"),
            (lambda: chain.run(output=5), "output: is 5; expected the name of a file or None"),
            (lambda: chain.run(progress=5), "progress: is 5; expected a function, True, False or None"),
            (lambda: chain.run_with_law(5), "run_with_law: force: is 5; expected a function"),
            (lambda: chain.run_with_law(lambda *_: 0.0, memory=-1), f"memory: is -1; {whole}"),
            (lambda: bw.tabulate_law("law.csv", lambda overlap: None, 1e-5),
             "loading: returned None for an overlap of 0 m; expected a finite number, in N"))
        for call, expected in cases:
            with self.subTest(expected), self.assertRaises(bw.InputError) as raised:
                call()
            self.assertEqual(str(raised.exception), expected)

    def test_what_a_law_from_a_function_returns(self):
        chain = bw.Chain(radius=np.full(4, 0.01), mass=0.03, velocity=[1.0, 0.0, 0.0, 0.0], law="hertz", material=STEEL,
                         time={"end": 1e-4})
        finite = "expected a finite force in N, or such a force and a tuple of finite numbers"
        for returned, expected in ((None, finite), (np.nan, finite), (np.inf, finite), ("5", finite), ((np.nan, (1.0,)), finite),
                                   ((1.0, (None,)), finite), ((1.0,), "expected a force in N, or a force and a tuple of length memory = 1"),
                                   ((1.0, 2.0), "expected a force in N, or a force and a tuple of length memory = 1")):
            with self.subTest(returned), self.assertRaises(bw.InputError) as raised:
                chain.run_with_law(lambda overlap, speed, memory, returned=returned: returned, memory=1)
            self.assertRegex(str(raised.exception), r"^the function of the law returned .* for an overlap of .* m and an approach speed "
                             r"of 1 m/s; ")
            self.assertTrue(str(raised.exception).endswith(f"; {expected}"), raised.exception)
        for returned in (None, np.nan):
            with self.assertRaisesRegex(bw.InputError, "^stored_energy: returned (None|nan) for an overlap of .* m; expected a finite "
                                                       "energy in J$"):
                chain.run_with_law(lambda overlap, speed, memory: 1e9 * overlap, stored_energy=lambda *_, value=returned: value)

    def test_invalid_arrays(self):
        good = {"radius": np.full(4, 0.01), "mass": 0.03, "material": STEEL, "law": "hertz", "time": {"end": 1e-4}}
        for change, words in (({"mass": [1.0, 2.0]}, "expected one number, or a row of 4"), ({"mass": -1.0}, "mass above 0"),
                              ({"law": "herz"}, 'did you mean "hertz"'), ({"gap": np.zeros(4)}, "row of 5"),
                              ({"material": {"youngs_modulus": 1.0}}, "poisson_ratio"), ({"radius": []}, "no beads"),
                              ({"time": {}}, "time.end"), ({"sensors": {"beads": [4]}}, "no such bead"),
                              ({"radius": [[1.0]]}, "row of numbers"), ({"law": {"name": "flores", "restitution": 0.5}}, "impact_speed")):
            with self.assertRaisesRegex(bw.InputError, words):
                bw.Chain(**{**good, **change})

    def test_arguments_of_a_chain_are_keys_of_a_scenario(self):
        good = {"radius": np.full(4, 0.01), "mass": 0.03, "material": STEEL, "law": "hertz", "velocity": [1.0, 0.0, 0.0, 0.0],
                "time": {"end": 1e-4}}
        for change, message in (({"sensor": {"beads": [1]}}, 'Chain:4: sensor: unknown key; did you mean "sensors"?'),
                                ({"time": {"end": 1e-4, "stp": 1e-9}}, 'Chain:3: time.stp: unknown key; did you mean "step"?'),
                                ({"time": None}, "Chain: time: missing; give [time] with end, in s")):
            with self.subTest(message), self.assertRaises(bw.InputError) as raised:
                bw.Chain(**{**good, **change})
            self.assertEqual(str(raised.exception), message)
        of_material = {entry["key"].rpartition(".")[2]: entry["needed"] for entry in bw.keys("material")
                       if "chain" in entry.get("scenarios", ["chain"])}
        self.assertEqual({name for name, needed in of_material.items() if needed}, set(STEEL))
        bw.Chain(**{**good, "material": {name: 0.3 if name == "poisson_ratio" else 2e11 for name in of_material if name != "density"}})
        with self.assertRaises(bw.InputError) as raised:
            bw.keys("sensor.beads")
        self.assertEqual(str(raised.exception), 'there is no key "sensor.beads"; did you mean "sensors.beads"? (beadwave keys lists all)')

    def test_paths_that_cannot_be_written(self):
        run = bw.Chain.load(CHAIN, overrides=SHORT).run()
        with self.assertRaisesRegex(bw.InputError, "nowhere"):
            run.save("nowhere/x.h5")
        with open("mine.h5", "w", encoding="ascii") as file:
            file.write("not yours")
        with self.assertRaises(bw.InputError):
            run.save("mine.h5")
        run.save("mine.h5", overwrite=True)
        self.assertEqual(bw.History("mine.h5").sensor_force.shape, (601, 8))

    def test_nothing_prints(self):
        script = (f"import beadwave as bw\nrun = bw.Chain.load({str(CHAIN)!r}, overrides={SHORT!r}).run(check=True)\nrun.save('x.h5')\n"
                  f"bw.sweep({str(CHAIN)!r}, {{'law.psi': [2.6, 2.8]}}, overrides={SHORT!r}, output='s.h5')\n"
                  "try: bw.load('nowhere')\nexcept bw.InputError: pass\n")
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))

    @unittest.skipIf("LD_PRELOAD" in os.environ, "the sanitizer is too slow")
    def test_interrupted(self):
        # A shell that starts this in the background lets its children ignore Ctrl-C.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        long = {"time.step": 1e-11}  # a minute and more
        calls = [lambda: bw.Chain.load(CHAIN, overrides=long).run(output="long.h5"), lambda: bw.Chain.load(CHAIN, overrides=long).run(),
                 lambda: bw.Chain.load(CHAIN, overrides=long).run(10**9),
                 lambda: bw.sweep(CHAIN, {"law.psi": "2.6:2.9:99"}, overrides=long),
                 lambda: bw.compare(CHAIN, ["hertz", "ma-liu"], overrides=long)]
        for number, call in enumerate(calls):
            with self.subTest(number), self.assertRaises(KeyboardInterrupt) as raised, interrupt_when_working() as sent:
                call()
            # Processor time: neither a busy machine nor a slow start counts.
            self.assertLess(time.process_time() - sent[0], 3.0)
            if number == 0:
                self.assertIn("beadwave resume long.h5.checkpoint.h5", raised.exception.__notes__[0])
                self.assertGreater(len(bw.History("long.h5").time), 1)

    def test_a_full_disk_and_resume(self):
        values = {"checkpoint.interval": 1e-5, "snapshots.interval": 1e-7, "segment.1.beads": 700, "time.end": 2e-4}
        chain = bw.Chain.load(CHAIN, overrides=values)
        chain.run(output="whole.h5")
        limit = os.path.getsize("whole.h5") // 2
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        for _ in range(2):  # the second run replaces the files of the first
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
            try:
                with self.assertRaisesRegex(bw.RunError, "File too large") as raised:
                    chain.run(output="x.h5", overwrite=True, ignore_disk_space=True)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, before)
            self.assertIn("beadwave resume x.h5.checkpoint.h5", str(raised.exception))
        bw.resume("x.h5.checkpoint.h5")
        self.assertEqual(list(differences(of_file("whole.h5"), of_file("x.h5"))), [])

    def test_progress_that_fails_ends_the_run(self):
        calls = []

        def progress(done, total, seconds):
            calls.append((done, total, seconds))
            if len(calls) == 2:
                raise ZeroDivisionError
        with self.assertRaises(ZeroDivisionError):
            bw.Chain.load(CHAIN, overrides={"time.step": 1e-11}).run(progress=progress)
        self.assertEqual(calls[0][1], 70_000_000)


if __name__ == "__main__":
    main()
