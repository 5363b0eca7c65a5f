"""The page in other languages: all of it, on a phone and on a laptop, with nothing cut off."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.common.storage.upkeep import JudgeCall
from kibitz.app.languages.catalogues import LANGUAGES, language, read_catalogue
from kibitz.app.tables.registry import Opened
from tests.browser.browser_help import Served, do, visit

WIDTHS = (390, 1400)
FEWEST_LETTERS = 4
"""A template with fewer letters of its own says too little to be known again."""

SEEN_JS = """() => {
  const out = [];
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest("script, style, code, pre, [lang]:not(html)") || !shown(parent)) continue;
    out.push(node.nodeValue);
  }
  for (const name of ["alt", "aria-label", "placeholder", "title"]) {
    for (const e of document.querySelectorAll(`[${name}]`)) if (shown(e)) out.push(e.getAttribute(name));
  }
  out.push(document.title);
  return out.map((x) => x.trim().replace(/\\s+/g, " ")).filter((x) => x);
}"""

CUT_JS = """() => {
  const out = [];
  if (document.documentElement.scrollWidth > innerWidth) out.push("the page is wider than the window");
  for (const e of document.querySelectorAll("button, a, label, summary, h1, h2, h3, th, select, .tool, .words")) {
    if (!e.checkVisibility() || !e.textContent.trim()) continue;
    const style = getComputedStyle(e);
    const box = e.getBoundingClientRect();
    const hides = style.overflowX !== "visible" || style.textOverflow === "ellipsis";
    const quiet = box.width <= 2 || style.clipPath !== "none"; // for screen readers alone
    if (quiet) continue;
    if (hides && e.scrollWidth > e.clientWidth + 1) out.push(`cut: ${e.textContent.trim()}`);
    if (e.tagName === "SELECT") { // it hides what it cuts; its own width is that of its longest choice
      const width = e.style.width;
      e.style.width = "max-content";
      if (e.offsetWidth > box.width + 1) out.push(`cut: ${e.textContent.trim()}`);
      e.style.width = width;
    }
    if (!hides && e.tagName === "BUTTON" && e.scrollWidth > e.clientWidth + 1) out.push(`runs over: ${e.textContent.trim()}`);
  }
  return out;
}"""


@cache
def english_of(code: str) -> tuple[set[str], list[re.Pattern[str]]]:
    """The English texts that are said otherwise in a language: whole ones, and patterns."""
    whole: set[str] = set()
    patterns: list[re.Pattern[str]] = []
    for message in read_catalogue(code):
        if not message.id:
            continue
        several = isinstance(message.id, (tuple, list))
        ids = list(message.id) if several else [message.id]
        said = set(message.string) if several else {message.string}
        for text in (x for x in ids if x not in said):
            own = re.sub(r"\{\w+\}", "", text)
            if own == text:
                whole.add(" ".join(text.split()))
            elif sum(x.isalpha() for x in own) >= FEWEST_LETTERS:
                parts = re.split(r"\{\w+\}", " ".join(text.split()))
                patterns.append(re.compile("(.+?)".join(map(re.escape, parts))))
    # a text that is itself a translation of something is none left over
    spoken = language(code)
    assert spoken is not None
    return whole - {x.strip() for x in spoken.sentences.values()}, patterns


def english_on(page: Page, code: str, names: Collection[str] = ()) -> list[str]:
    """What stands on a page, or is read from it, in English although the language has it.

    What people are called is no text, also where it reads like one.
    """
    whole, patterns = english_of(code)
    seen: list[str] = page.evaluate(SEEN_JS)
    called = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "$.")

    def is_english(text: str) -> bool:
        return text in whole or any(p.fullmatch(text) for p in patterns)

    left = {x for x in seen if is_english(x) and is_english(called.sub("X", x))}
    return sorted(x for x in left if any(y.isalpha() for y in called.sub("", x)))


@pytest.fixture(params=["de", "pl"])
def code(request: pytest.FixtureRequest) -> str:
    """A language."""
    chosen: str = request.param
    return chosen


@pytest.fixture
def reader(context: BrowserContext, code: str) -> Iterator[Page]:
    """A page of somebody who chose that language."""
    # a blank page in between keeps nothing
    context.add_init_script(
        f"try {{ localStorage.setItem('kibitz.language', '{code}'); }} catch {{ }}"
    )
    page = context.new_page()
    yield page
    page.close()


def said_in(code: str, text: str) -> str:
    spoken = language(code)
    assert spoken is not None
    return spoken.sentence(text)


def _home(served: Served) -> str:
    return served.address + "/"


def _plays(served: Served) -> str:
    return served.page(served.played("scrabble_challenge"))


def _clocks(served: Served) -> str:
    return served.page(served.played("scrabble_house_explosion", 2))


def _ships(served: Served) -> str:
    return served.page(served.played("scrabbleship_hits"))


def _grab(served: Served) -> str:
    return served.page(served.played("grabscrab_penalty", 8))


def _cribbage(served: Served) -> str:
    return served.page(served.played("scrabbage_hand", 5))


def _frank(served: Served) -> str:
    return served.page(served.played("frankenscrabbards_join"))


def _fleet(served: Served) -> str:
    opened = served.open_table("scrabbleship", ["Ann", "Bob"])
    return served.page(opened, "seat", opened.seats["Ann"])


def _camera(served: Served) -> str:
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    return served.page(opened, "camera", opened.camera)


def _history(served: Served) -> str:
    return served.page(served.played("scrabble_challenge"), "history")


def _screen(served: Served) -> str:
    opened = served.played("grabscrab_penalty", 8)
    return f"{served.address}/table/{opened.table.id}?view=screen#t={opened.watch}"


def _fame(served: Served) -> str:
    return served.address + "/fame"


def _trust(served: Served) -> str:
    return served.address + "/trust"


def _seen(served: Served) -> Opened:
    """A table with a picture, and a player who calls for a judge."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    picture = (DEMOS / "scrabble" / "05.jpg").read_bytes()
    served.session.camera(opened.table).take(picture, stream=False)
    call = JudgeCall(opened.table.id, time.time(), "Ann", "QAT?")
    served.session.tables.storage.call_judge(call)
    return opened


def _setup(served: Served) -> str:
    return served.page(_seen(served), "setup")


def _cameras(served: Served) -> str:
    _seen(served)
    return served.address + "/cameras"


def _director(served: Served) -> str:
    _seen(served)
    served.played("scrabble_challenge")
    return served.address + "/director"


def _watch(served: Served) -> str:
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    return f"{served.address}/watch/{served.session.publish(opened.table.id, opened.table.id + '-for-everybody')}"


PAGES = (
    _home,
    _plays,
    _clocks,
    _ships,
    _grab,
    _cribbage,
    _frank,
    _fleet,
    _camera,
    _history,
    _screen,
    _fame,
    _trust,
    _setup,
    _cameras,
    _director,
    _watch,
)


@pytest.mark.parametrize("place", PAGES, ids=lambda place: place.__name__.strip("_"))
def test_a_page_speaks_the_language_and_cuts_nothing_off(
    reader: Page, served: Served, code: str, place: Callable[[Served], str]
) -> None:
    """At both widths: the page says which language it is in, no English is left, nothing is cut."""
    found: dict[int, tuple[str | None, list[str], list[str]]] = {}
    address = place(served)
    tables = served.session.tables.open_tables()
    names = {name for table in tables for name in table.setup.opening.players}
    names |= {"Player 1", "Player 2"}  # of tables that were put away since
    reader.set_viewport_size({"width": WIDTHS[0], "height": 844})
    reader.goto("about:blank")
    visit(reader, address)
    for width in WIDTHS:
        reader.set_viewport_size({"width": width, "height": 844})
        reader.wait_for_timeout(500)
        for fold in reader.locator("main details:not([open]) > summary").all():
            if fold.is_visible():
                fold.click()
        lang = reader.locator("html").get_attribute("lang")
        found[width] = (lang, english_on(reader, code, names), reader.evaluate(CUT_JS))
        if folder := os.environ.get("KIBITZ_PICTURES"):
            name = f"{place.__name__.strip('_')}-{code}-{width}.png"
            reader.screenshot(path=Path(folder) / name, full_page=True)

    assert {width: (code, [], []) for width in WIDTHS} == found


DIALOGS = ("Invite", "Voice off", "End the game", "Corners", "Exchange", "Language of this page")


def test_the_windows_of_the_table_speak_it_too(reader: Page, served: Served, code: str) -> None:
    """Each window that a button of the table opens, on a phone."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})
    reader.set_viewport_size({"width": WIDTHS[0], "height": 844})
    left: dict[str, list[str]] = {}
    for name in DIALOGS:
        visit(reader, served.page(opened))
        button = reader.get_by_role("button", name=said_in(code, name), exact=True)
        if not button.count() or not button.first.is_visible():
            continue
        button.first.click()
        expect(reader.get_by_role("dialog")).to_be_visible()
        left[name] = english_on(reader, code) + reader.evaluate(CUT_JS)
        if folder := os.environ.get("KIBITZ_PICTURES"):
            reader.screenshot(path=Path(folder) / f"window-{name.replace(' ', '-')}-{code}.png")
        reader.goto("about:blank")

    assert {"Invite", "Voice off", "Language of this page"} <= set(left)
    assert {name: [] for name in left} == left


def test_a_language_is_chosen_on_the_page_and_kept(page: Page, served: Served) -> None:
    """One button lists every language in its own name; the choice holds on the next page too."""
    page.goto(served.address + "/")
    page.get_by_role("button", name="Language of this page").click()
    choices = page.get_by_role("dialog").locator(".choice")
    expect(choices).to_have_count(len(LANGUAGES))
    offered = choices.all_inner_texts()
    page.get_by_role("button", name="Polski").click()
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    page.goto(served.address + "/fame")
    expect(page.locator("html")).to_have_attribute("lang", "pl")

    assert list(LANGUAGES.values()) == offered


@pytest.mark.parametrize(
    ("servers", "chosen", "expected"),
    [(None, None, "de"), ("fr", None, "fr"), (None, "pl", "pl"), ("fr", "pl", "pl")],
)
def test_a_german_browser_gets_german(
    browser: Browser,
    served: Served,
    monkeypatch: pytest.MonkeyPatch,
    servers: str | None,
    chosen: str | None,
    expected: str,
) -> None:
    """Page and live table alike: what was chosen by hand, else the server's, else the browser's."""
    monkeypatch.setattr(served.session, "language", servers)
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    context = browser.new_context(locale="de-DE", viewport={"width": WIDTHS[0], "height": 844})
    page = context.new_page()
    if chosen:
        visit(page, f"{served.address}/?lang={chosen}")
    do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})
    visit(page, served.page(opened))
    expect(page.locator("#headline")).to_contain_text("AT")
    lang = page.locator("html").get_attribute("lang")
    left = english_on(page, expected, {"Ann", "Bob"})
    context.close()

    assert (expected, []) == (lang, left)


def test_a_seat_s_page_takes_the_seat_s_language(browser: Browser, served: Served) -> None:
    """Nothing chosen in the browser: the seat's language, else the table's."""
    tongues = {}
    order = {"game": "scrabble", "players": ["Ann", "Bob"], "language": "de"}
    context = browser.new_context()
    answer = context.request.post(
        served.address + "/api/tables", data={**order, "languages": {"Bob": "pl"}}
    ).json()
    for player in order["players"]:
        page = browser.new_context().new_page()
        token = answer["seat_tokens"][player]
        page.goto(f"{served.address}/seat/{answer['table']}#t={token}")
        expect(page.locator("html")).not_to_have_attribute("lang", "en")
        tongues[player] = page.locator("html").get_attribute("lang")
        page.context.close()
    context.close()

    assert {"Ann": "de", "Bob": "pl"} == tongues


def test_no_setting_shows_a_code(page: Page, served: Served) -> None:
    """Settings, tile sets and lists are named in words, in every game; the director's page is led to."""
    page.goto(f"{served.address}/?lang=de")
    page.locator("#games input").first.wait_for(state="attached")
    offer = page.request.get(f"{served.address}/api/games").json()
    codes = {
        str(choice).replace("_", " ")
        for game in offer["games"]
        for setting in game["settings"]
        for choice in setting["choices"] or ()
        if isinstance(choice, str) and not choice.isdecimal()
    }
    shown = []
    for k in range(len(offer["games"])):
        page.locator("#games input").nth(k).check(force=True)
        shown += page.locator("#settings option, #tiles option").all_inner_texts()
        fields = page.locator("#settings input:not([type])")
        shown += [field.input_value() for field in fields.all()]

    assert "seating" not in shown
    assert [] == [text for text in shown if text in codes or re.fullmatch("[a-z]{2,3}", text)]
    assert page.locator("a[href='/director']").count() == 1


def test_a_table_is_set_up_with_the_tiles_of_the_reader(browser: Browser, served: Served) -> None:
    """At first those of the page's language, later those that were taken last."""
    context = browser.new_context(locale="de-DE")
    page = context.new_page()
    visit(page, served.address)
    expect(page.locator("#tiles")).to_have_value("de")
    page.locator("#tiles").select_option("en")
    page.locator("#games input[value=grabscrab]").check(force=True)
    expect(page.locator("#squares")).to_be_hidden()  # it has no board
    page.locator("#setup button.big").click()
    page.wait_for_url("**/setup/*")
    visit(page, served.address)
    expect(page.locator("#tiles")).to_have_value("en")
    context.close()


def test_hours_are_written_as_in_the_reader_s_country(browser: Browser, served: Served) -> None:
    """People in Britain read 17:05 where those in America read 05:05 PM."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})
    written = []
    for locale in ("en-GB", "en-US"):
        context = browser.new_context(locale=locale)
        page = context.new_page()
        visit(page, served.page(opened))
        written.append(page.locator("time").first.inner_text()[5:])
        context.close()

    assert "" == written[0]
    assert written[1].strip() in ("AM", "PM")
