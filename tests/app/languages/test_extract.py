"""Nothing that people read on a page stands outside the catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from kibitz.app.languages.update import PAGES, ROOT, script_code

FOR_PROGRAMS = "docs"
"""The page about the calls speaks English, as the calls do."""
CALL = re.compile(r'\bt[xn]\(\s*"(?:[^"\\\n]|\\.)*"(?:,\s*"(?:[^"\\\n]|\\.)*")?')
VALUE = "\0"
"""Stands for a value in a template."""
READABLE = re.compile(
    r"""[^\W\d_]{2,}[,;:.!?]?[ ][^\W\d_]*[^\W\d_]  # two words
    |\0[ ][^\W\d_]{2,}|[^\W\d_]{2,}[,;:.!?]?[ ]\0  # a word beside a value
    |^\s*[A-Z][a-z]+[.!?:\N{HORIZONTAL ELLIPSIS}]?\s*$  # or one that begins with a capital""",
    re.VERBOSE,
)
SAID_TO = ("alt", "aria-label", "label", "placeholder", "title")
"""What follows these names is read by people, also a single word in small letters."""
NOT_READ = re.compile(
    r"""(?: (?:^|[{,(.\s])"?(?:class|className|look|preserveAspectRatio)"?\s*[:=]
    | \b(?:querySelector|querySelectorAll|closest|matches|includes)\( )[^,]*$""",
    re.VERBOSE,
)
"""What stands before text for the browser alone, up to the literal."""
ADDRESS = ("/", "<", "?", "#", "(")
CODES = ("Authorization", "Bearer {}", "Enter", "the page has no element #{}")
"""Words of the protocol, a key's name, and what a programmer reads."""


def literals(code: str) -> Iterator[tuple[int, str]]:
    """Where each literal of a script begins, and its text; of a template the parts between."""
    at = 0
    while at < len(code):
        mark = code[at]
        if mark == '"':
            end = at + 1
            while end < len(code) and code[end] != '"':
                end += 2 if code[end] == "\\" else 1
            yield at, code[at + 1 : end]
            at = end + 1
        elif mark == "`":
            at = yield from template(code, at)
        else:
            at += 1


def template(code: str, begin: int) -> Iterator[tuple[int, str]]:
    """A template's parts, then the literals inside its values; returns where it ends."""
    words, at = "", begin + 1
    values: list[tuple[int, str]] = []
    while at < len(code) and code[at] != "`":
        if code.startswith("${", at):
            end = end_of_value(code, at + 2)
            values += [(at + 2 + i, text) for i, text in literals(code[at + 2 : end])]
            words += VALUE
            at = end + 1
        else:
            words += code[at]
            at += 1
    yield begin, words
    yield from values
    return at + 1


def end_of_value(code: str, at: int) -> int:
    """Where the brace stands that ends a template's value."""
    depth = 1
    while True:
        if code[at] == "`":
            at = end_of_template(code, at)
        depth += {"{": 1, "}": -1}.get(code[at], 0)
        if not depth:
            return at
        at += 1


def end_of_template(code: str, begin: int) -> int:
    """Where the mark stands that ends a template."""
    at = begin + 1
    while code[at] != "`":
        at = end_of_value(code, at + 2) + 1 if code.startswith("${", at) else at + 1
    return at


def left_out(source: str) -> list[str]:
    """Texts of a script that look as if people read them, and that no catalogue has."""
    code = CALL.sub("tx(", re.sub(r"\s// .*", "", script_code(source)))
    out = []
    for at, text in literals(code):
        before = code[max(0, at - 160) : at].rpartition("\n")[2]
        key = code[at + len(text) + 1 :].startswith('":')
        if key or text.startswith(ADDRESS) or NOT_READ.search(before):
            continue
        said = before.rstrip().endswith(tuple(f"{x}{q}:" for x in SAID_TO for q in ("", '"')))
        if READABLE.search(text) or (said and re.search(r"[^\W\d_]{2}", text)):
            out.append(text.replace(VALUE, "{}"))
    return [text for text in out if text not in CODES]


SCRIPTS = sorted(x for x in (ROOT / PAGES / "js").glob("*.js") if x.stem != FOR_PROGRAMS)
HTML = sorted(x for x in (ROOT / PAGES).glob("*.html") if x.stem != FOR_PROGRAMS)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_what_a_script_says_is_in_the_catalogues(path):
    assert [] == left_out(path.read_text("utf-8"))


def needed_by(name: str, seen: set[str]) -> set[str]:
    """A script and all scripts that it loads, by their file names."""
    if name not in seen:
        seen.add(name)
        source = (ROOT / PAGES / "js" / name).read_text("utf-8")
        for other in re.findall(r'^import .*?"\./(\w+\.js)";$', source, re.MULTILINE):
            needed_by(other, seen)
    return seen


@pytest.mark.parametrize("path", HTML, ids=lambda path: path.stem)
def test_every_page_translates_itself(path):
    """The texts of the HTML are put into the language by a script; each page loads it."""
    begun = re.findall(r'src="/static/js/(\w+\.js)"', path.read_text("utf-8"))

    assert "language.js" in {x for name in begun for x in needed_by(name, set())}


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("", []),
        ('h("p", { class: "small soft" }, tx("All is well."))', []),
        ('h("p", {}, "All is well.")', ["All is well."]),
        ('h("img", { alt: `The tile on ${square}` })', ["The tile on {}"]),
        ('button("Stop")', ["Stop"]),
        ('h("b", { "aria-label": "blank" })', ["blank"]),
        ('h("p", { class: on ? "big red" : "x" }, n ? "not told" : "")', ["not told"]),
        ('x = `${n} of ${all} read${n ? `, ${n} to go` : ""}`', [", {} to go", "{} of {} read{}"]),
        ('fetch("/api/tables?all of them"); // "Some words"', []),
        ('tn("one tile", "{n} tiles", n, { at: "Of late" })', ["Of late"]),
    ],
)
def test_texts_outside_the_catalogues_are_found(script, found):
    assert sorted(found) == sorted(left_out(script))
