"""A phone's camera page as an app: on the home screen, through broken lines, turned and taken."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, Playwright, expect

from kibitz.app.cli.serving.demo import DEMOS
from kibitz.app.reading.frames import FrameReader
from tests.browser.browser_help import PHONE, Served, film, filming_args, launch, serve, visit

PHOTO = DEMOS / "scrabble" / "05.jpg"
KEPT_JS = """async () => {
  for (const name of ["/static/js/camera.js", "/static/js/capture.js", "/static/css/base.css"]) if (!await caches.match(name)) return false;
  return true;
}"""
TAKEN_JS = """() => {
  const track = document.querySelector("video").srcObject.getTracks()[0];
  track.stop();
  track.dispatchEvent(new Event("ended"));
}"""
TURNED_JS = """() => {
  const video = document.querySelector("video");
  Object.defineProperty(video, "videoWidth", { value: 480, configurable: true });
  Object.defineProperty(video, "videoHeight", { value: 640, configurable: true });
  video.dispatchEvent(new Event("resize"));
  return document.querySelector(".verdict").innerText;
}"""
"""Turns the picture; what is said then, before a picture that lies well takes it away."""


def test_the_app_opens_at_the_phones_place_without_the_server(
    playwright: Playwright, tmp_path: Path
) -> None:
    """The browser takes it for an app; once kept, it opens where the phone was, and no token is."""
    browser = launch(playwright, "--ignore-certificate-errors")
    phone = browser.new_context(viewport=PHONE).new_page()
    with serve(tmp_path, FrameReader(), https=True) as served:
        opened = served.open_table("scrabble", ["Ann", "Bob"])
        place = served.page(opened, "camera", opened.camera)
        visit(phone, place)
        manifest = phone.context.new_cdp_session(phone).send("Page.getAppManifest")
        phone.goto(place)
        phone.wait_for_function("navigator.serviceWorker.controller !== null")
        phone.reload()
        phone.wait_for_function(KEPT_JS)
        kept = phone.evaluate(
            "caches.open('kibitz-shell').then((c) => c.keys()).then((all) => all.map((r) => r.url))"
        )
        phone.goto(f"{served.address}/app")
        phone.wait_for_url("**/camera/*")
    phone.goto(f"{served.address}/app")
    phone.wait_for_url("**/camera/*")
    expect(phone.get_by_role("button", name="Start the camera")).to_be_visible()
    browser.close()

    assert [] == manifest["errors"]
    assert "/app" == json.loads(manifest["data"])["start_url"]
    assert [] == [url for url in kept if opened.camera in url or "/api/" in url]


def test_a_phone_that_was_turned_or_lost_its_camera(
    playwright: Playwright, served: Served, tmp_path: Path
) -> None:
    """Turned it says so; a camera that another app took comes back by itself, and so does the line."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    browser = launch(playwright, *filming_args(film([PHOTO], tmp_path)))
    phone = browser.new_context(viewport=PHONE, permissions=["camera"]).new_page()
    phone.goto(served.page(opened, "camera", opened.camera))
    phone.get_by_role("button", name="Start the camera").click()
    expect(phone.locator(".verdict.good")).to_have_text("The view is good.")
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.locator("#link")).to_have_text("Connected")
    phone.evaluate(TAKEN_JS)
    expect(phone.locator(".verdict")).to_contain_text("Another app took the camera.")
    expect(phone.locator(".verdict.good")).to_have_text("The view is good.")
    turned = phone.evaluate(TURNED_JS)
    browser.close()

    assert "The phone was turned. Looking again…" == turned


def test_codes_lead_to_where_phones_reach_the_server(page: Page, served: Served) -> None:
    """On the server's own machine the codes name its address in the house, not the page's own."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    served.session.address = "https://192.0.2.7:8000"
    try:
        visit(page, served.page(opened))
        with page.expect_request("**/api/qr") as asked:
            page.get_by_role("button", name="A phone").click()
        expect(page.get_by_role("dialog")).to_contain_text("The phone warns")
    finally:
        served.session.address = None

    assert asked.value.post_data_json["text"].startswith("https://192.0.2.7:8000/camera/")
