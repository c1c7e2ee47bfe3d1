"""Parts of the documentation site that need no Sphinx: the link checker, the links of the pages, docstrings, the C++ pages, blocks of pages.

`./dev docs` builds the whole site.
"""
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path, PurePosixPath

SOURCES = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCES / "docs" / "site"), str(Path(__file__).resolve().parent)]
import cpp  # noqa: E402
import docstrings  # noqa: E402
import equations  # noqa: E402
import law_pages  # noqa: E402
import links  # noqa: E402
import notebooks  # noqa: E402
import pages  # noqa: E402
from blocks import Block, differences, same  # noqa: E402


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class LinkChecker(Folder):
    def page(self, name, body):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(f"<html><body>{body}</body></html>", encoding="utf-8")

    def test_links_that_lead_somewhere_are_not_reported(self):
        self.page("index.html", '<a href="a/b.html#there">x</a><a href="#here">y</a><p id="here"></p><a href="https://example.org/">z</a>')
        self.page("a/b.html", '<h1 id="there"></h1><a href="../index.html">up</a>')
        self.assertEqual(links.check(self.folder), (2, 4, []))

    def test_a_missing_page_anchor_or_picture_is_reported(self):
        self.page("index.html", '<a href="gone.html">x</a><a href="index.html#gone">y</a><img src="gone.png">')
        self.assertEqual(links.check(self.folder)[2], [
            "index.html: gone.html: does not exist", "index.html: index.html#gone: the page has no such anchor",
            "index.html: gone.png: does not exist"])

    def test_what_a_network_must_load_is_reported(self):
        self.page("index.html", '<script src="https://cdn.example.org/x.js"></script>')
        self.assertEqual(links.check(self.folder)[2], [
            "index.html: loads https://cdn.example.org/x.js: the site must work without a network"])


class Pages(Folder):
    def test_every_page_of_the_repository_finds_what_it_links_to(self):
        pages.stage(SOURCES, self.folder)
        self.assertTrue((self.folder / "docs" / "GUIDE.md").is_file())
        self.assertTrue((self.folder / "docs" / "band_gap.png").is_file())

    def test_every_page_of_the_repository_is_in_the_contents(self):
        pages.stage(SOURCES, self.folder)
        front = (SOURCES / "docs" / "site" / "front.txt").read_text(encoding="utf-8")
        listed = {re.sub(r".*<(.*)>$", r"\1", line) for tree in re.findall(r"```\{toctree\}(.*?)```", front, flags=re.S)
                  for line in tree.splitlines()}
        staged = {path.relative_to(self.folder).as_posix().removesuffix(".md") for path in self.folder.rglob("*.md")}
        self.assertEqual(staged - listed, set())

    def test_links_to_scenarios_and_notebooks_lead_to_their_pages(self):
        text = pages.with_links("[a](../configs/wall.toml) `[b](../configs/wall.toml)` [c](tutorials/design.ipynb)", SOURCES, self.folder,
                                PurePosixPath("docs/GUIDE.md"))
        self.assertEqual(text, "[a](../gallery/wall.md) `[b](../configs/wall.toml)` [c](../tutorials/design.md)")

    def test_a_link_to_nothing_ends_the_build(self):
        with self.assertRaisesRegex(SystemExit, "docs/GUIDE.md: gone.png: the site has no page for this"):
            pages.with_links("![a](gone.png)", SOURCES, self.folder, PurePosixPath("docs/GUIDE.md"))


class Notebooks(unittest.TestCase):
    def test_formulas_become_pictures_with_their_text_and_links_lead_to_pages_of_the_site(self):
        text = notebooks.with_pages("The speed $c = \\sqrt{k/m}$ of [this](../../configs/wall.toml), see [laws](../LAWS.md#hertz).")
        self.assertRegex(text, r'^The speed <img class="math" alt="c = \\sqrt\{k/m\}" style="vertical-align: -[\d.]+pt" '
                               r'src="data:image/svg\+xml;base64,[\w+/=]+"> of \[this\]\(\.\./gallery/wall\.md\), '
                               r'see \[laws\]\(\.\./docs/LAWS\.md#hertz\)\.$')


class Docstrings(unittest.TestCase):
    def test_indented_blocks_are_code_and_bars_are_bars(self):
        lines = ["The size is |x|.", "", "    run()", "", "End.", ">>> a | b"]
        docstrings.paragraphs(None, None, None, None, None, lines)
        self.assertEqual(lines, ["The size is \\|x\\|.", "", "::", "", "    run()", "", "End.", ">>> a | b"])


class Laws(Folder):
    def test_each_law_is_on_the_page_of_its_family_and_links_lead_there(self):
        text = (SOURCES / "docs" / "LAWS.md").read_text(encoding="utf-8")
        docs = self.folder / "docs"
        docs.mkdir()
        (docs / "GUIDE.md").write_text("[a](LAWS.md#hertz-line) [b](LAWS.md#line-contacts) [c](LAWS.md#ma-liu) [d](LAWS.md)", encoding="utf-8")
        law_pages.redirect(self.folder, law_pages.pages_of(docs / "LAWS.md", text))
        self.assertEqual((docs / "GUIDE.md").read_text(encoding="utf-8"), "[a](laws/line-contacts.md#hertz-line) "
                         "[b](laws/line-contacts.md#line-contacts) [c](laws/elastoplastic.md#ma-liu) [d](LAWS.md)")
        headings = [line for page in (docs / "laws").glob("*.md") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("## ")]
        self.assertEqual(sorted(headings), sorted(re.findall(r"^## .+$", text, flags=re.M)))
        self.assertIn("| [Hysteresis laws](laws/hysteresis.md) |", (docs / "LAWS.md").read_text(encoding="utf-8"))

    def test_equations_have_greek_letters_powers_and_roots(self):
        self.assertEqual(equations.rendered("F = K delta^(3/2) (1 + chi delta_dot/delta_dot_0)"),
                         '<span class="equation"><i>F</i> = <i>K</i> <i>δ</i><sup>3/2</sup> (1 + <i>χ</i> '
                         '<span class="dot"><i>δ</i></span>/<span class="dot"><i>δ</i></span><sub>0</sub>)</span>')
        self.assertIn('√<span class="root"><i>K</i> <i>m</i></span> <i>F</i><sub>max</sub><sup>−0.5</sup> <i>E</i>&#42;',
                      equations.rendered("sqrt(K m) F_max^-0.5 E*"))


@unittest.skipUnless(shutil.which("doxygen"), "doxygen is not installed")
class Cpp(Folder):
    def test_every_public_header_has_a_section_with_its_head_and_its_declarations(self):
        cpp.write(SOURCES, self.folder / "work", self.folder / "pages")
        text = "\n".join(path.read_text(encoding="utf-8") for path in (self.folder / "pages").glob("*.rst"))
        for header in (SOURCES / "include").rglob("*.hpp"):
            self.assertIn(f'#include "{header.relative_to(SOURCES / "include").as_posix()}"', text)
        self.assertIn(".. cpp:function:: double beadwave::laws::hertz_stiffness(double modulus, double radius)", text)
        self.assertIn("   K = (4/3) E sqrt(R) [N/m^1.5] from the effective modulus [Pa] and radius [m].", text)
        self.assertIn("   What a law knows about the two bodies that touch.", text)
        self.assertIn("template<ContactLaw Law>", text)
        self.assertNotIn("= requires", text)


class ShownOutput(unittest.TestCase):
    def test_numbers_agree_to_one_in_the_last_shown_digit(self):
        self.assertTrue(same("  9   35.727   67.479", "  9  35.7265 67.4795"))
        self.assertFalse(same("  9   35.727", "  9   35.729"))
        self.assertFalse(same("law  hertz", "law  flores"))

    def test_the_speed_of_the_machine_does_not_count(self):
        self.assertTrue(same("  speed  1.17e+08 bead-steps/s, 0.0425 s on 1 thread", "  speed  9.1e+06 bead-steps/s, 3.1 s on 2 threads"))
        self.assertTrue(same("ma-liu    94.722 %   -2.4e-10    6.25     1.00x", "ma-liu    94.722 %   -2.4e-10    31.2     4.20x"))
        self.assertFalse(same("ma-liu    94.722 %   -2.4e-10    6.25     1.00x", "ma-liu    94.732 %   -2.4e-10    6.25     1.00x"))

    def test_lines_come_in_their_order_and_three_dots_leave_out(self):
        printed = "a 1\nb 2\nc 3 and more"
        self.assertEqual(differences(["a 1", "...", "c 3 ..."], printed), [])
        self.assertEqual(differences(["b 2", "a 1"], printed), ["a 1"])

    def test_commands_of_a_block_continue_over_lines(self):
        block = Block("page", 1, "console", "$ for x in a b; do\n    echo $x\n  done\na\nb\n$ one \\\n    two\nout")
        self.assertEqual([(one.text, one.shown) for one in block.commands()], [
            ("for x in a b; do\n    echo $x\n  done", ["a", "b"]), ("one \\\n    two", ["out"])])


if __name__ == "__main__":
    unittest.main(verbosity=2)
