"""A reference CSV. Its comments, header and keys are read from the file; its values are computed again."""
import pathlib

VALIDATION = pathlib.Path(__file__).resolve().parent.parent


class Reference:
    """The lines of one file. `values(row)` gives the text of the cells to compute, by column."""

    def __init__(self, name, values):
        self.path = VALIDATION / name
        self.values = values

    def computed(self):
        text, header = [], None
        for line in self.path.read_text().splitlines():
            if not line or line.startswith("#"):
                text.append(line)
            elif header is None:
                header = line.split(",")
                text.append(line)
            else:
                row = dict(zip(header, line.split(",")))
                row.update(self.values(row))
                text.append(",".join(row[column] for column in header))
        return "\n".join(text) + "\n"

    def differences(self):
        """The lines that differ, as in the file and as computed."""
        old, new = self.path.read_text().splitlines(), self.computed().splitlines()
        return [(a, b) for a, b in zip(old, new) if a != b]

    def write(self):
        self.path.write_text(self.computed())
