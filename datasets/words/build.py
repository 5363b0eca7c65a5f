"""Build the bundled word list from Debian's `scowl` package.

    apt-get install scowl && python datasets/words/build.py

Words of sizes up to 80 of the `*-words` classes, accents stripped, lower case only; two-letter
words come from `two_letters.txt` alone; `supplement.txt` adds what the lists lack.
"""

from __future__ import annotations

import gzip
import unicodedata
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCOWL = Path("/usr/share/dict/scowl")
OUT = HERE.parents[1] / "app" / "data" / "words.txt.gz"
CLASSES = (
    "english-words",
    "american-words",
    "british-words",
    "british_z-words",
    "canadian-words",
    "australian-words",
    "variant_1-words",
    "variant_2-words",
    "variant_3-words",
    "british_variant_1-words",
    "british_variant_2-words",
    "canadian_variant_1-words",
    "canadian_variant_2-words",
    "australian_variant_1-words",
    "australian_variant_2-words",
)
LARGEST = 80


def _text(path: Path) -> str:
    """The file's text; older releases of the package are Latin-1."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def plain(word: str) -> str:
    """The word without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def lines(path: Path) -> list[str]:
    """Words of a hand-kept file; `#` starts a remark."""
    text = path.read_text(encoding="utf-8")
    return [w for line in text.splitlines() for w in line.split("#", 1)[0].split()]


def all_words() -> list[str]:
    """Every word of the list, in alphabetical order."""
    words: set[str] = set()
    for name in CLASSES:
        for path in SCOWL.glob(f"{name}.*"):
            if int(path.suffix[1:]) > LARGEST:
                continue
            for line in _text(path).splitlines():
                word = plain(line.strip())
                if word.isascii() and word.isalpha() and word.islower() and len(word) > 2:
                    words.add(word.upper())
    words |= {w.upper() for w in lines(HERE / "two_letters.txt")}
    words |= {w.upper() for w in lines(HERE / "supplement.txt")}
    words -= {w.upper() for w in lines(HERE / "withdrawn.txt")}
    return sorted(words)


def main() -> None:
    """Write the list; the same words give the same bytes."""
    words = all_words()
    OUT.write_bytes(gzip.compress(("\n".join(words) + "\n").encode(), 9, mtime=0))
    print(len(words), "words,", OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
