"""The catalogues hold what the sources say: nothing missing, nothing stale, nothing broken."""

from __future__ import annotations

import re

import pytest

from kibitz.app.languages.catalogues import (
    ENGLISH,
    LANGUAGES,
    best_of,
    catalogue_file,
    chosen_language,
    forms_of,
    language,
    language_of_system,
    read_catalogue,
)
from kibitz.app.languages.update import (
    ExtractError,
    keys_with_places,
    missing,
    page_texts,
    python_texts,
    script_texts,
    updated,
    written,
)

OTHERS = [code for code in LANGUAGES if code != ENGLISH]
KNOWN = keys_with_places()


def values_in(text: str) -> set[str]:
    return set(re.findall(r"\{(\w*)\}", text))


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_is_as_the_sources_say(code):
    """Nothing stale, nothing missing: `python -m kibitz.app.languages.update` changes nothing."""
    assert written(updated(code, KNOWN)) == catalogue_file(code).read_bytes()


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_is_translated(code):
    assert [] == missing(read_catalogue(code))


@pytest.mark.parametrize("code", OTHERS)
def test_translations_have_the_same_values(code):
    """A translation names the values of its text; a form for one thing may leave out the number."""
    wrong = []
    for message in read_catalogue(code):
        if not message.id:
            continue
        if isinstance(message.id, (tuple, list)):
            one, many = map(values_in, message.id)
            first, *others = map(values_in, message.string)
            if first not in (one, many) or any(x != many for x in others):
                wrong.append((message.id, message.string))
        elif values_in(message.id) != values_in(message.string):
            wrong.append((message.id, message.string))

    assert [] == wrong


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_has_its_language_s_plurals(code):
    """As many forms as the rule in its head says, for every text that counts."""
    catalogue = read_catalogue(code)
    forms = {len(m.string) for m in catalogue if isinstance(m.id, (tuple, list)) and m.id}

    assert {len(forms_of(code))} == forms
    assert len(forms_of(code)) == catalogue.num_plurals


SHIPS = [
    ("de", {0: "0 Schiffe", 1: "1 Schiff", 2: "2 Schiffe"}),
    ("fr", {0: "0 navire", 1: "1 navire", 2: "2 navires"}),
    ("pl", {1: "1 okręt", 3: "3 okręty", 5: "5 okrętów", 12: "12 okrętów", 22: "22 okręty"}),
    ("ro", {1: "1 navă", 2: "2 nave", 19: "19 nave", 20: "20 de nave", 119: "119 nave"}),
]


@pytest.mark.parametrize(
    ("code", "count", "said"), [(c, n, s) for c, all_ in SHIPS for n, s in all_.items()]
)
def test_numbers_take_their_form(code, count, said):
    spoken = language(code)

    assert said == spoken.counted("{count} ship", "{count} ships", count).format(count=count)


@pytest.mark.parametrize(
    ("code", "said"), [("de", "1.234,5"), ("sv", "1\N{NO-BREAK SPACE}234,5"), ("it", "1.234,5")]
)
def test_numbers_are_written_as_the_language_does(code, said):
    assert said == language(code).number(1234.5)


@pytest.mark.parametrize(
    ("code", "said"), [("de", "A, B und C"), ("fr", "A, B et C"), ("pl", "A, B i C")]
)
def test_lists_end_as_the_language_does(code, said):
    assert said == language(code).listed(["A", "B", "C"])


def test_what_no_catalogue_has_stays_english():
    spoken = language("de")

    assert "no such text" == spoken.sentence("no such text")
    assert "two" == spoken.counted("one", "two", 2)


def test_english_needs_no_catalogue():
    assert language(ENGLISH) is None


def test_unknown_languages_are_refused():
    with pytest.raises(ValueError, match=r"expected one of en de .* sv, got 'xx'"):
        language("xx")


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LC_ALL": "pl_PL", "LANG": "de_DE"}, "pl"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_without_the_option_the_system_s_language_holds(environment, code, monkeypatch):
    """`system` names it too; a language that is told stands above it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert code == language_of_system(environment)
    assert (code, code) == (chosen_language("system"), chosen_language(None))
    assert "fr" == chosen_language("fr")


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("ja,fr;q=0.5,nl;q=0.7", "nl"),
        ("xx, *;q=0.1", None),
        ("de;q=zero, sv;q=0.1", "sv"),
        ("", None),
    ],
)
def test_a_browser_is_understood(accepted, code):
    assert code == best_of(accepted)


def test_texts_are_found_in_modules():
    source = 'a = phrase("one " "two {x}", x=1)\nb = counted("c", "d", 2)\nc = other("e")\n'

    assert [("one two {x}", None), ("c", "d")] == [
        (f.one, f.many) for f in python_texts(source, "m.py")
    ]


def test_a_text_that_is_put_together_is_pointed_out():
    with pytest.raises(ExtractError, match=r"m\.py:1: expected a plain text as template"):
        list(python_texts('phrase(f"{x} tiles")', "m.py"))


def test_texts_are_found_in_scripts_and_pages():
    script = (
        'h("b", {}, tx("Take it", { who: tx("Ann") }));\n'
        '  // tx("no")\n  tn("{n} tile", "{n} tiles", count); other("no");'
    )
    page = '<p title="A name">Some <b>text</b></p><script>var x = "no";</script><i>123</i>'

    assert [("Take it", None), ("Ann", None), ("{n} tile", "{n} tiles")] == [
        (f.one, f.many) for f in script_texts(script, "s.js")
    ]
    assert ["A name", "Some", "text"] == [f.one for f in page_texts(page, "p.html")]
