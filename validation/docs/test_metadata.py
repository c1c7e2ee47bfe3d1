"""What others read about the project agrees with itself: versions, licence, title, the citations of the paper, the files of the public CI."""
import json
import re
import unittest
from pathlib import Path

try:
    import yaml
except ImportError:
    yaml = None

SOURCES = Path(__file__).resolve().parents[2]


def text(name):
    return (SOURCES / name).read_text(encoding="utf-8")


VERSION = re.search(r"project\(beadwave VERSION ([0-9.]+)", text("CMakeLists.txt"))[1]


class Codemeta(unittest.TestCase):
    def test_it_names_this_version_and_licence(self):
        meta = json.loads(text("codemeta.json"))
        self.assertEqual((meta["@type"], meta["name"], meta["version"]), ("SoftwareSourceCode", "beadwave", VERSION))
        self.assertTrue(meta["license"].endswith("/BSD-3-Clause"))
        self.assertIn("Redistributions of source code", text("LICENSE"))
        self.assertTrue((SOURCES / meta["readme"]).is_file())


class Paper(unittest.TestCase):
    def test_every_citation_has_an_entry_and_every_entry_is_cited(self):
        _, _, body = text("paper/paper.md").split("---\n", 2)
        cited = set(re.findall(r"@(\w+)", body))
        entries = set(re.findall(r"^@\w+\{(\w+),", text("paper/paper.bib"), flags=re.M))
        self.assertEqual(cited, entries)

    def test_entries_are_closed_and_have_author_title_year(self):
        for entry in re.split(r"^@", text("paper/paper.bib"), flags=re.M)[1:]:
            self.assertEqual(entry.count("{"), entry.count("}"), entry)
            for field in ("author", "title", "year"):
                self.assertRegex(entry, rf"(?m)^  {field} +=", entry)

    def test_it_has_the_sections_and_the_length_that_the_journal_asks_for(self):
        body = text("paper/paper.md").split("---\n", 2)[2]
        sections = re.findall(r"^# (.*)$", body, flags=re.M)
        for section in ("Summary", "Statement of need", "State of the field", "Acknowledgements", "References"):
            self.assertIn(section, sections)
        self.assertIn(len(body.split()) // 250, range(1, 8), "250 to 2000 words")

    def test_the_numbers_that_it_compares_are_those_of_the_page_on_speed(self):
        speed = " ".join(text("docs/SPEED.md").split())
        paper = " ".join(text("paper/paper.md").split())
        for number in ("1.8e9 bead-steps", "2.1e7"):
            self.assertIn(number, paper)
            self.assertIn(number, speed)


@unittest.skipIf(yaml is None, "python3-yaml is not installed")
class Yaml(unittest.TestCase):
    def test_the_citation_file_has_what_its_format_requires(self):
        citation = yaml.safe_load(text("CITATION.cff"))
        self.assertEqual({"cff-version", "message", "title", "authors"} - set(citation), set())
        self.assertEqual((citation["cff-version"], citation["version"], citation["license"]), ("1.2.0", VERSION, "BSD-3-Clause"))
        self.assertIn(citation["type"], ("software", "dataset"))
        self.assertTrue(all({"name"} <= set(author) or {"family-names"} <= set(author) for author in citation["authors"]))
        self.assertEqual(citation["keywords"], json.loads(text("codemeta.json"))["keywords"])

    def test_the_paper_has_the_head_of_its_journal(self):
        head = yaml.safe_load(text("paper/paper.md").split("---\n", 2)[1])
        self.assertEqual({"title", "tags", "authors", "affiliations", "date", "bibliography"} - set(head), set())
        numbers = {one["index"] for one in head["affiliations"]}
        self.assertTrue(all(author["affiliation"] in numbers for author in head["authors"]))
        self.assertTrue((SOURCES / "paper" / head["bibliography"]).is_file())

    def test_the_public_ci_calls_commands_that_exist(self):
        jobs = yaml.safe_load(text(".github/workflows/ci.yml"))["jobs"]
        commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
        usage = text("dev")
        for command in re.findall(r"\./dev (\w+)", "\n".join(commands)):
            self.assertRegex(usage, rf"(?m)^  {command}\b")
        self.assertTrue(any(".ci/run" in command for command in commands))

    def test_issue_templates_have_a_name_and_say_what_they_are_about(self):
        for path in sorted((SOURCES / ".github" / "ISSUE_TEMPLATE").glob("*.md")):
            head = yaml.safe_load(path.read_text(encoding="utf-8").split("---\n", 2)[1])
            self.assertEqual({"name", "about"} - set(head), set(), path)


if __name__ == "__main__":
    unittest.main(verbosity=2)
