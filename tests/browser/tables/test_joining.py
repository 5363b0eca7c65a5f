"""Joining with a phone: codes that a camera can read, and a page that is secure in this house."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, Page, Playwright, expect

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.reading.frames import FrameReader
from tests.browser.browser_help import PHONE, Served, film, filming_args, launch, serve, visit


def test_codes_are_read_and_open_their_places(
    page: Page, browser: Browser, served: Served
) -> None:
    """What a phone reads off the screen opens the seat, the camera and the watchers' pages."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    visit(page, served.page(opened))
    page.get_by_role("button", name="Invite").click()
    expect(page.locator(".codes figure")).to_have_count(5)
    page.wait_for_timeout(300)
    links = [_read(code.screenshot()) for code in page.locator(".codes img").all()]
    titles = []
    for link in links:
        phone = browser.new_context(viewport=PHONE).new_page()
        phone.goto(link)
        expect(phone.locator("main")).to_be_visible()
        titles.append(phone.title())
        phone.context.close()

    assert titles == [
        "Ann – Kibitz",
        "Bob – Kibitz",
        "Camera – Kibitz",
        "Scrabble: Ann, Bob – Kibitz",
        "Scrabble: Ann, Bob – Kibitz",
    ]


def _read(png: bytes) -> str:
    """The text of a QR code in a picture; a phone too looks from several distances."""
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert image is not None
    framed = cv2.copyMakeBorder(image, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255)
    for scale in (3.0, 2.0, 4.0, 1.5, 5.0, 2.5):
        seen = cv2.resize(framed, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        for detector in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
            text, _, _ = detector.detectAndDecode(seen)
            if text:
                return text
    return ""


def test_a_phone_films_over_https(playwright: Playwright, tmp_path: Path) -> None:
    """Under the house's own certificate page, socket and camera work; `/trust` names it."""
    shown = film([DEMOS / "scrabble" / "01.jpg"], tmp_path)
    browser = launch(playwright, *filming_args(shown))
    with serve(tmp_path / "data", FrameReader(), https=True) as served:
        opened = served.open_table("scrabble", ["Ann", "Bob"])
        context = browser.new_context(
            viewport=PHONE, permissions=["camera"], ignore_https_errors=True
        )
        phone = context.new_page()
        phone.goto(served.page(opened, "camera", opened.camera))
        phone.get_by_role("button", name="Start the camera").click()
        expect(phone.locator(".verdict.good")).to_have_text("The view is good.")
        phone.goto(served.address + "/trust")
        papers = served.session.papers
        assert papers is not None
        expect(phone.locator("#fingerprint")).to_have_text(papers.fingerprint)
        with phone.expect_download() as waiting:
            phone.get_by_role("link", name="Get the certificate").click()
        kept = Path(waiting.value.path()).read_bytes()
        browser.close()

    assert kept == papers.authority


def test_trust_is_explained_for_this_device(browser: Browser, served: Served) -> None:
    """The steps for the device at hand are open, the others folded; without https it says how."""
    agents = {
        "iphone": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1",
        "android": "Mozilla/5.0 (Linux; Android 15; Pixel) Chrome/130.0 Mobile",
        "computer": "Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0",
    }
    opened = {}
    for name, agent in agents.items():
        page = browser.new_context(viewport=PHONE, user_agent=agent).new_page()
        page.goto(served.address + "/trust")
        expect(page.locator("#plain")).to_be_visible()
        opened[name] = [d.get_attribute("id") for d in page.locator("details[open]").all()]
        page.context.close()

    assert opened == {name: [name] for name in agents}
