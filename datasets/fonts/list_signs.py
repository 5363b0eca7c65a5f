"""List the signs of an icon typeface that are no letters.

    cd datasets/fonts
    python list_signs.py bootstrap-icons.json > icons/bootstrap-icons.txt
    python list_signs.py phosphor-bold.css > icons/phosphor.txt

Takes what the typeface comes with: JSON of names and codes, or a style sheet. Signs that show
letters or numerals, that are a firm's, or that look like a letter are left out: they are told by
the words of their names. Prints a line a sign: its code in hexadecimal and its name.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path


def words(*lines: str) -> frozenset[str]:
    """All words of some lines."""
    return frozenset(word for line in lines for word in line.split())


LETTERS = words(
    "type text alphabet font fonts translate bold italic underline strikethrough subscript",
    "superscript filetype badge logo paragraph percent hd sd gif sql pdf csv doc ppt xls js jsx",
    "ts tsx html css md rs svg png jpg py cpp vue ini txt zip sim esim usb wifi hdmi lte math wc",
    "tv vr ar ad nut function pi sigma intersect union placeholder cc pci sos p2p osi cast atm",
    "nfc gps rss ampersand parking hospital markdown regex javascript typescript command option",
    "alt upc blockquote currency",
)
"""Words in the names of signs that show letters or numerals."""
FIRMS = words(
    "alexa alipay amazon amd android android2 anthropic app apple beta behance bing bluesky",
    "bootstrap chrome claude cloudflare copy discord dribbble dropbox edge facebook firefox git",
    "github gitlab google instagram line linkedin mastodon medium messenger meta microsoft",
    "nintendo openai opencollective paypal perplexity pinterest qq quora reddit safari signal",
    "skype slack snapchat spotify steam strava stripe substack telegram threads tiktok trello",
    "twitch twitter ubuntu unity vimeo wechat weibo whatsapp wikipedia windows wordpress xbox",
    "yelp youtube",
)
LIKE_LETTERS = words(
    "angle asterisk border caret chevron circle dash dot dots elevator equals exclamation",
    "eyeglasses hash info line link-simple list magnet magnifying-glass minus moon pipe plus",
    "power record ruler search slash three-dots vignette x",
)
"""Signs of few strokes: an I, an O, a V or a U to whoever reads a tile."""
SIZES = {"lg", "fill", "compact", "up", "down", "left", "right", "vertical", "segment", "notch"}


def is_letter(name: str) -> bool:
    """Whether a sign shows a letter or looks like one, by its name."""
    words = set(name.split("-"))
    plain = "-".join(w for w in name.split("-") if w not in SIZES)
    few = any(len(w) == 1 or w[0].isdigit() or re.match("h[1-6]$|number|letter", w) for w in words)
    return few or bool(words & (LETTERS | FIRMS)) or plain in LIKE_LETTERS


def signs_in(path: Path) -> dict[str, int]:
    """Names and codes in JSON or a style sheet."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return {name: int(code) for name, code in json.loads(text).items()}
    found = re.findall(r'\.ph-([\w-]+):before \{\s*content: "\\([0-9a-f]+)"', text)
    return {name: int(code, 16) for name, code in found}


if __name__ == "__main__":
    for name, code in sorted(signs_in(Path(sys.argv[1])).items()):
        if not is_letter(name):
            print(f"{code:x} {name}")
