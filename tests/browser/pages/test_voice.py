"""What is said aloud, heard by a stand-in for the browser's voice."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.browser_help import Served, do, visit

VOICE_JS = """
window.heard = []; window.talking = null; window.overlaps = 0;
class Utterance { constructor(text) { this.text = text; } }
const voices = [{name: 'Ada', lang: 'en-GB', voiceURI: 'ada'}, {name: 'Ben', lang: 'de-DE', voiceURI: 'ben'}];
const voice = {
  getVoices: () => voices, cancel: () => { window.heard.push('(silence)'); },
  speak: (u) => {
    if (window.talking) window.overlaps += 1;
    window.talking = u; window.heard.push(u.text);
    window.last = {rate: u.rate, voice: u.voice && u.voice.name, lang: u.lang};
    setTimeout(() => { window.talking = null; u.onend && u.onend(); }, 120);
  },
};
Object.defineProperty(window, 'speechSynthesis', {value: voice});
Object.defineProperty(window, 'SpeechSynthesisUtterance', {value: Utterance});
// the browser may tell that a page's turn has come before the page itself knows
window.has_turn = false;
if (window.LockManager) {
  const request = LockManager.prototype.request;
  LockManager.prototype.request = function (...asked) {
    const told = asked.pop();
    return request.call(this, ...asked, (lock) => {
      const until = told(lock);
      if (lock) window.has_turn = true;
      return until;
    });
  };
}
"""


# a busy browser is slow to say which page may speak
SLOW_LOCKS_JS = """
const locks = navigator.locks;
if (locks) locks.request = async (...asked) => {
  await new Promise((done) => setTimeout(done, 1500));
  return LockManager.prototype.request.apply(locks, asked);
};
"""


def heard(page: Page, lines: int) -> list[str]:
    """What was said aloud, once it is so many lines and nobody talks any more."""
    page.wait_for_function("(n) => heard.length >= n && talking === null", arg=lines)
    page.wait_for_timeout(250)
    found: list[str] = page.evaluate("heard")
    return found


def switch_on(page: Page) -> None:
    """The voice on, by its button."""
    page.get_by_role("button", name="Voice off").click()
    page.get_by_label("Say plays, scores and questions aloud").check()
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("button", name="Voice on")).to_be_visible()


def test_plays_are_said_one_after_the_other(context: BrowserContext, served: Served) -> None:
    """What was before the page came is not said; then each line once, in order, none over another."""
    context.add_init_script(VOICE_JS)
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})
    page = context.new_page()
    visit(page, served.page(opened))
    switch_on(page)
    do(opened, action="place", player="Bob", tiles={"I9": "O", "J9": "P"})
    do(opened, action="pass", player="Ann")
    lines = heard(page, 3)

    assert lines == ["Bob plays TOP.", "6 for TOP; 6.", "Ann passes."]
    assert page.evaluate("overlaps") == 0


def test_a_long_turn_is_said_whole(context: BrowserContext, served: Served) -> None:
    """Every tile of a turn is called with its square, row and number apart, and the score after it."""
    context.add_init_script(VOICE_JS)
    opened = served.played("scrabbleship_hits")
    page = context.new_page()
    visit(page, served.page(opened))
    switch_on(page)
    do(opened, action="place", player="Ann", tiles={"L8": "L", "M8": "E", "N8": "T"})
    lines = heard(page, 8)

    assert lines[0] == "L on L 8, E on M 8, T on N 8."
    assert lines[-1] == "13 points, 1 ship; total 55 and 2."
    assert len(lines) == 8


def test_a_correction_speaks_only_the_correction(context: BrowserContext, served: Served) -> None:
    """The play that was put right and its score are said; the plays after it are not."""
    context.add_init_script(VOICE_JS)
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    do(opened, action="place", player="Ann", tiles={"H8": "C", "H9": "A", "H10": "T"})
    do(opened, action="place", player="Bob", tiles={"I9": "T"})
    page = context.new_page()
    visit(page, served.page(opened))
    switch_on(page)
    do(opened, action="correct", square="H8", letter="H")
    lines = heard(page, 2)

    assert lines == ["Correction: HAT for 12, not CAT.", "Ann has 12."]


def test_what_comes_before_the_turn_to_speak_is_said(
    context: BrowserContext, served: Served
) -> None:
    """What is played while the browser still settles which page speaks is said as soon as it has."""
    context.add_init_script(VOICE_JS + SLOW_LOCKS_JS)
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page = context.new_page()
    visit(page, served.page(opened))
    switch_on(page)
    do(opened, action="pass", player="Ann")

    assert heard(page, 1) == ["Ann passes."]


def test_language_voice_and_speed_are_kept(context: BrowserContext, served: Served) -> None:
    """Chosen once, they hold after a reload; switched off, nothing is said."""
    context.add_init_script(VOICE_JS)
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page = context.new_page()
    visit(page, served.page(opened))
    page.get_by_role("button", name="Voice off").click()
    page.get_by_label("Language of the voice").select_option(label="German")
    offered = page.locator("dialog select").nth(1).locator("option").all_inner_texts()
    page.locator("dialog select").nth(1).select_option(label="Ben (de-DE)")
    page.get_by_label("Speed").first.fill("1.3")
    page.get_by_label("Say plays, scores and questions aloud").check()
    page.get_by_role("button", name="Keep").click()
    page.reload()
    expect(page.get_by_role("button", name="Voice on")).to_be_visible()
    _await_turn(page)
    do(opened, action="pass", player="Ann")
    spoken = heard(page, 1)
    how = page.evaluate("last")
    page.get_by_role("button", name="Voice on").click()
    page.get_by_label("Say plays, scores and questions aloud").uncheck()
    page.get_by_role("button", name="Keep").click()
    do(opened, action="pass", player="Bob")
    silent = heard(page, 2)

    assert offered == ["The browser's own", "Ben (de-DE)"]
    assert spoken == ["Ann passes."]
    assert how == {"rate": 1.3, "voice": "Ben", "lang": "de-DE"}
    assert silent == ["Ann passes.", "(silence)"]


def test_two_pages_of_one_browser_speak_once(context: BrowserContext, served: Served) -> None:
    """While one page of a table speaks, another is silent; when it closes, the other goes on."""
    context.add_init_script(VOICE_JS)
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    first = context.new_page()
    visit(first, served.page(opened))
    switch_on(first)
    second = context.new_page()
    visit(second, served.page(opened))
    expect(second.get_by_role("button", name="Voice on")).to_be_visible()
    _await_pending(second, 1)
    do(opened, action="pass", player="Ann")
    both = [heard(first, 1), heard(second, 0)]
    first.close()
    _await_turn(second)
    do(opened, action="pass", player="Bob")

    assert both == [["Ann passes."], []]
    assert heard(second, 1) == ["Bob passes."]


def _await_pending(page: Page, count: int) -> None:
    """Wait until so many pages of the browser stand in line to speak."""
    page.wait_for_function(
        "async (n) => (await navigator.locks.query()).pending.length === n", arg=count
    )


def _await_turn(page: Page) -> None:
    """Wait until this page may speak."""
    page.wait_for_function("() => has_turn")


def test_a_camera_that_goes_away_is_said_once(context: BrowserContext, served: Served) -> None:
    """A game that goes on unseen is heard of, however often the server tries again."""
    context.add_init_script(VOICE_JS)
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page = context.new_page()
    visit(page, served.page(opened))
    switch_on(page)
    camera = served.session.camera(opened.table)
    camera.note_trouble("kitchen: no picture came; trying again in 1 s")
    heard(page, 1)
    camera.note_trouble("kitchen: no picture came; trying again in 2 s")
    do(opened, action="pass", player="Ann")

    assert heard(page, 2) == ["kitchen: no picture came; trying again in 1 s", "Ann passes."]


def test_a_low_clock_is_called(context: BrowserContext, served: Served) -> None:
    """A minute before the end the page says whose time gets short."""
    context.add_init_script(VOICE_JS)
    opened = served.open_table("scrabble-house", ["South", "North"], {"sh.clock": 62})
    page = context.new_page()
    visit(page, served.page(opened))
    switch_on(page)
    do(opened, action="press_clock", player="North")
    do(opened, action="place", player="South", tiles={"O7": "C", "O8": "A", "O9": "T"})
    do(opened, action="press_clock", player="South")
    page.wait_for_function("() => heard.includes('North: one minute left.')")

    assert heard(page, 1)[-1] == "North: one minute left."


def test_the_voice_speaks_the_language_of_the_page(
    context: BrowserContext, served: Served
) -> None:
    """A page in German says German lines with a German voice, and follows when the page changes."""
    context.add_init_script(VOICE_JS)
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    page = context.new_page()
    visit(page, served.page(opened))
    switch_on(page)
    page.evaluate("localStorage.setItem('kibitz.language', 'de')")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("button", name="Stimme an")).to_be_visible()
    do(opened, action="place", player="Ann", tiles={"H8": "A", "H9": "T"})
    lines = heard(page, 2)

    assert lines == ["Ann legt AT.", "4 für AT; 4."]
    assert page.evaluate("last.lang") == "de-DE"
