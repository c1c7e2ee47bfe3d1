"""`beadwave cite` and bw.cite: the papers of every law, of scenarios of all kinds, and beadwave itself."""
import json
import re

import yaml

import beadwave as bw
from support import CHAIN, CONFIGS, SOURCES, InFolder, json_of, main, program

KEYS = ("WangLiu2022", "WangReview2022", "Skrinjar2018", "CorralReview", "Poursina2020")


def entries(bibtex):
    """BibTeX entries as dictionaries: type, key, fields. Braces must be balanced."""
    found, at = [], 0
    for head in re.finditer(r"@(\w+)\{(\w+),\n", bibtex):
        assert bibtex[at:head.start()].strip() == "", bibtex[at:head.start()]
        depth, at = 1, head.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(bibtex[at], 0)
            at += 1
        body = bibtex[head.end():at - 1]
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", body, flags=re.MULTILINE))
        assert len(fields) == body.count("\n"), body
        found.append({"type": head[1], "key": head[2], **fields})
    return found


# Papers that sources name by their authors.
NAMED = {"WaltonBraun1986": "Walton and Braun 1986", "JohnsonKendallRoberts1971": "Johnson, Kendall and Roberts 1971",
         "ThorntonNing1998": "Thornton and Ning 1998", "Thornton1991": "Thornton 1991",
         "DerjaguinMullerToporov1975": "Derjaguin, Muller and Toporov 1975", "Willett2000": "Willett et al. 2000",
         "LianThorntonAdams1993": "Lian, Thornton and Adams 1993"}


class Cite(InFolder):
    def test_every_law_names_a_paper_that_the_readme_lists(self):
        readme = (SOURCES / "README.md").read_text(encoding="utf-8")
        catalogue = json_of("laws")
        of_the_user = ["tabulated", "expression"]  # a measurement, and a formula
        laws = [one["name"] for kind in ("laws", "line_laws") for one in catalogue[kind] if one["name"] not in of_the_user]
        names = laws + [one["name"] for one in catalogue["restitution_formulas"] if one["name"] not in laws]
        self.assertGreater(len(names), 60)
        self.assertEqual([bw.cite(name)["papers"] for name in of_the_user], [[], []])
        for name in names:
            cited = bw.cite(name)
            self.assertEqual([law["name"] for law in cited["laws"]], [name])
            source = cited["laws"][0]["source"]
            expected = [key for key in KEYS if key in source] + [key for key, named in NAMED.items() if named in source]
            self.assertTrue(expected, f"{name}: {source}")
            self.assertEqual(sorted(paper["key"] for paper in cited["papers"]), sorted(expected))
            self.assertEqual(sorted(cited["laws"][0]["papers"]), sorted(expected))
        for key in KEYS:
            self.assertIn(f"| {key} |", readme)

    def test_scenarios(self):
        for scenario, laws, papers in (
                ("chain70", {"ma-liu"}, {"WangLiu2022"}),
                ("slider_crank", {"lankarani-nikravesh"}, {"WangReview2022", "Skrinjar2018", "CorralReview"}),
                ("rocking_block", {"impulse"}, None),
                ("silo", {"tsuji", "mindlin"}, None)):
            cited = bw.cite(CONFIGS / f"{scenario}.toml")
            self.assertEqual({law["name"] for law in cited["laws"]}, laws)
            if papers is not None:
                self.assertEqual({paper["key"] for paper in cited["papers"]}, papers)
        self.assertLessEqual({"Mindlin1949", "ThorntonRandall1988"}, {paper["key"] for paper in cited["papers"]})

    def test_friction_and_rigid_contacts_cite_their_papers(self):
        for name, papers in (("rigid", {"Moreau1988", "Jean1999"}), ("stribeck_speed", {"Stribeck1902", "Tustin1947", "BoPavelescu1982"}),
                             ("viscous_coefficient", {"ArmstrongHelouvry1994"})):
            self.assertEqual({paper["key"] for paper in bw.cite(name)["papers"]}, papers)
            self.assertEqual({one["key"] for one in entries(bw.cite(name).bibtex)}, papers | {"beadwave"})

    def test_a_collision(self):
        known = json_of("laws", "lankarani-nikravesh")
        with open("case.toml", "w", encoding="utf-8") as file:
            file.write('speed = 1.0\n[contact]\nstiffness = 1e9\neffective_mass = 0.1\n[law]\nname = "lankarani-nikravesh"\n'
                       'restitution = 0.9\n')
        cited = json_of("cite", "case.toml")
        self.assertEqual(cited["laws"][0]["source"], known["source"])

    def test_cylinders_cite_the_line_law_of_the_name(self):
        material = '[material.steel]\nyoungs_modulus = 2e11\npoisson_ratio = 0.3\ndensity = 7800.0\n'
        law = '[law]\nname = "lankarani-nikravesh"\nrestitution = 0.9\nimpact_speed = 1.0\n[time]\nend = 1e-5\nstep = 1e-7\n'
        body = 'radius = 5e-3\nmaterial = "steel"\n'
        systems = {"packing": f'dimension = 2\n{material}[[particles]]\nposition = [0.0, 0.0, 0.0]\n{body}',
                   "chain": f'{material}[[segment]]\nbeads = 2\n{body}'}
        for system, text in systems.items():
            for more, cited in (("", False), ("length = 0.01\n", True)):
                with self.subTest(system=system, cylinders=cited):
                    with open("rollers.toml", "w", encoding="utf-8") as file:
                        file.write(text + more + law.replace("restitution = 0.9", 'damping = "none"' if cited else "restitution = 0.9"))
                    source = json_of("cite", "rollers.toml")["laws"][0]["source"]
                    self.assertEqual("Skrinjar2018 Eq. (46)" in source, cited)
                    self.assertEqual("WangReview2022" in source, not cited)

    def test_bibtex(self):
        out, _ = program("cite", "flores", "johnson", "mindlin", "--bibtex")
        found = entries(out)
        papers = json_of("cite", "flores", "johnson", "mindlin")["papers"]
        self.assertEqual([one["key"] for one in found], [*(paper["key"] for paper in papers), "beadwave"])
        for one, paper in zip(found, papers):
            self.assertEqual(one["title"], "{" + paper["title"] + "}")
            self.assertEqual(one["author"].replace(" and ", ", "), paper["authors"])
            self.assertEqual(int(one["year"]), paper["year"])
            self.assertIn("booktitle" if one["type"] == "incollection" else "journal", one)
        self.assertEqual(out, bw.cite("flores", "johnson", "mindlin").bibtex)

    def test_beadwave_is_cited_as_its_citation_file_says(self):
        expected = yaml.safe_load((SOURCES / "CITATION.cff").read_text(encoding="utf-8"))
        own = bw.cite()["beadwave"]
        self.assertEqual(own, {"authors": expected["authors"][0]["name"], "title": expected["title"],
                               "version": str(expected["version"])})
        (entry,) = entries(bw.cite().bibtex)
        self.assertEqual((entry["type"], entry["title"]), ("software", "{" + expected["title"] + "}"))

    def test_texts_agree(self):
        out, _ = program("cite", "ma-liu", CONFIGS / "chain70.toml")
        self.assertEqual(out, str(bw.cite("ma-liu", CONFIGS / "chain70.toml")))
        self.assertEqual(out.count("WangLiu2022\n"), 1)  # once, although two ask for it
        self.assertEqual(json.loads(program("cite", "ma-liu", "--json")[0]), dict(bw.cite("ma-liu")))

    def test_errors(self):
        with open("wrong.toml", "w", encoding="utf-8") as file:
            file.write(re.sub("^beads", "beeds", CHAIN.read_text(encoding="utf-8"), count=1, flags=re.MULTILINE))
        for name, expected in (("ma-lui", 'there is no law "ma-lui"; did you mean "ma-liu"? (beadwave laws lists all)'),
                               ("missing.toml", "missing.toml: no such file"), ("wrong.toml", "wrong.toml:")):
            _, error = program("cite", name, status=2)
            self.assertTrue(error.startswith(f"beadwave: {expected}"), error)
            with self.assertRaises(bw.InputError):
                bw.cite(name)


if __name__ == "__main__":
    main()
