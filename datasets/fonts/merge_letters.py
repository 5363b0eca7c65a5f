"""Makes `vision/open-sans-bold.woff2`, the letters that are drawn over pictures, of all scripts.

Call it as `python datasets/fonts/merge_letters.py`; it needs `pip install 'kibitz[train]'`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from fontTools.merge import Merger
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "vision" / "open-sans-bold.woff2"
PARTS = ("latin", "latin-ext", "cyrillic", "scripts/greek", "scripts/hebrew")
LAYOUT = ("GSUB", "GPOS", "GDEF", "STAT")
"""What the parts say of kerning and ligatures; single letters need none of it."""


def main() -> None:
    """Merge the parts into one file."""
    with tempfile.TemporaryDirectory() as folder:
        plain = []
        for part in PARTS:
            below, _, name = part.rpartition("/")
            font = TTFont(HERE / below / f"open-sans-{name}-700-normal.woff2")
            for table in LAYOUT:
                if table in font:
                    del font[table]
            font.flavor = None
            plain.append(str(Path(folder, f"{name}.ttf")))
            font.save(plain[-1])
        merged = Merger().merge(plain)
    merged.flavor = "woff2"
    merged.save(TARGET)


if __name__ == "__main__":
    main()
