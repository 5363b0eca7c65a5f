"""The host keeps tables and links in order: found, named, put away, deleted; ended, renewed."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.browser_help import PHONE, Served, visit


def test_tables_are_found_named_and_deleted(page: Page, served: Served) -> None:
    """The first page searches names, players and games; a table is renamed, put away, deleted."""
    first = served.open_table("scrabble", ["Ottilie", "Kasimir"]).table.id
    served.open_table("grabscrab", ["Ottilie", "Bob"])
    page.goto(served.address + "/")
    search = page.get_by_label("Search")
    search.fill("ottilie")
    rows = page.locator("#tables li")
    expect(rows).to_have_count(2)
    search.fill("ottilie grabscrab")
    expect(rows).to_have_count(1)
    search.fill("kasimir")
    expect(rows).to_contain_text("Kasimir")
    rows.get_by_role("button", name="Change").click()
    page.get_by_label("Name", exact=True).fill("Sunday evening")
    page.get_by_role("button", name="Save the name").click()
    expect(rows.locator("b")).to_have_text("Sunday evening")
    search.fill("sunday")
    rows.get_by_role("button", name="Change").click()
    page.get_by_role("button", name="Archive").click()
    expect(rows).to_have_count(0)
    page.get_by_label("Show archived").check()
    expect(rows).to_have_count(1)
    rows.get_by_role("button", name="Change").click()
    page.get_by_role("button", name="Delete…").click()
    page.get_by_role("button", name="Delete it").click()
    expect(rows).to_have_count(0)

    assert served.session.tables.storage.table_row(first) is None


def test_a_seats_link_is_ended_and_renewed(page: Page, browser: Browser, served: Served) -> None:
    """The phone that came through the old link is told; the new link opens the seat."""
    opened = served.open_table("scrabble", ["Ann", "Bob"])
    phone = browser.new_context(viewport=PHONE).new_page()
    visit(phone, served.page(opened, "seat", opened.seats["Ann"]))
    visit(page, served.page(opened))
    page.get_by_role("button", name="Invite").click()
    expect(page.locator(".codes figure")).to_have_count(5)
    place = page.locator(".codes figure").filter(has_text="Ann")
    place.get_by_role("button", name="End the link for Ann").click()
    expect(place).to_contain_text("No link opens this place now")
    expect(phone.locator("#closed")).to_contain_text("no longer opens the table")
    place.get_by_role("button", name=re.compile("New link for Ann")).click()
    expect(place.locator("img")).to_be_visible()
    fresh = served.session.tables.add_token(opened.table.id, "seat", "Ann")
    again = browser.new_context(viewport=PHONE).new_page()
    visit(again, served.page(opened, "seat", fresh))
    title = again.title()
    for one in (phone, again):
        one.context.close()

    assert title == "Ann – Kibitz"
