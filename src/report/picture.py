"""What a player on the page shows: moving particles or bodies. A panel returns it in place of a figure of plotly."""
from dataclasses import dataclass, field

from .array_bytes import Pack


@dataclass
class Picture:
    kind: str  # of the player: "packing" or "mechanism" (browser/player_*.js)
    settings: dict  # for the player
    pack: Pack = field(default_factory=Pack)
    summary: str = ""  # for those who cannot see it
