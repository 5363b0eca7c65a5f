"""Addresses are taken apart as people mean them, and shown without who enters with what."""

from __future__ import annotations

import pytest

from kibitz.app.common.addresses import parse_address, shown_source, without_password


@pytest.mark.parametrize(
    ("text", "user", "password", "host", "bare"),
    [
        ("http://h/snap", None, None, "h", "http://h/snap"),
        ("http://ann@h/snap", "ann", None, "h", "http://h/snap"),
        ("http://ann:pw@h:81/snap?a=1", "ann", "pw", "h", "http://h:81/snap?a=1"),
        ("http://ann:p%40ss%2Fw0rd@h/snap", "ann", "p@ss/w0rd", "h", "http://h/snap"),
        ("http://ann:p@ss/w0rd@h/snap", "ann", "p@ss/w0rd", "h", "http://h/snap"),
        ("http://ann:p/ss@h/snap", "ann", "p/ss", "h", "http://h/snap"),
        ("http://ann:p?ss@h/snap", "ann", "p?ss", "h", "http://h/snap"),
        ("http://ann:p#ss@h", "ann", "p#ss", "h", "http://h"),
        ("http://ann:a:b@h/", "ann", "a:b", "h", "http://h/"),
        ("http://h:81/a@b", None, None, "h", "http://h:81/a@b"),
        ("http://h/snap?mail=a@b", None, None, "h", "http://h/snap?mail=a@b"),
        ("RTSP://ann:pw@[fe80::1]:554/x", "ann", "pw", "[fe80::1]", "rtsp://[fe80::1]:554/x"),
    ],
)
def test_who_enters_is_taken_out_of_an_address(text, user, password, host, bare):
    """Written as the standard wants, or as people type a password with `@`, `/`, `?` or `#`."""
    address = parse_address(text)

    assert (user, password, host, bare) == (
        address.user,
        address.password,
        address.host,
        address.bare,
    )


@pytest.mark.parametrize(
    "text",
    [
        "http://us3r:s3cret@h/snap?user=us3r&pwd=s3cret",
        "http://us3r:s3cret@h/a@b",
        "http://us3r:s3@cret@h/",
        "http://us3r:s3/cret@h/",
        "http://us3r:s3?cret@h/",
        "http://us3r:s3#cret@h/",
        "http://us3r:x@s3?a=cret@h/",
        "http://us3r:123/s3cret@h/",
        "http://h/snap?s3cret",
        "http://h/snap#s3cret",
        "rtsp://h/user=us3r_password=s3cret_channel=1.sdp",
        "rtsp://h/x;user=us3r&pwd=s3cret",
        "http://us3r:s3cret@",
        "http://us3r:s3cret@h h/",
        "ftp://us3r:s3cret@h/",
        "us3r:s3cret@h/snap",
        "http:/us3r:s3cret@h/snap",
        "h/snap?user=us3r&pwd=s3cret",
    ],
)
def test_no_part_of_who_enters_is_shown(text):
    """Whatever is wrong with an address: what is shown of it holds no user and no password."""
    shown = shown_source(text)

    assert [] == [part for part in ("us3r", "s3", "cret") if part in shown]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rtsp://ann:pw@h:8554/cam/1?x=1", "rtsp://h:8554/cam/1"),
        ("http://h/video.mjpg", "http://h/video.mjpg"),
        ("http://h/axis=1/v.jpg", "http://h/…/v.jpg"),
        ("0", "0"),
        ("films/game one.mp4", "films/game one.mp4"),
    ],
)
def test_the_rest_of_an_address_is_shown(text, shown):
    """Scheme, host, port and path; a file keeps its name."""
    assert shown == shown_source(text)


def test_an_address_is_written_so_that_every_program_reads_it_alike():
    """What FFmpeg gets has the user and the password quoted."""
    full = parse_address("rtsp://ann:p@ss/w0rd@h:554/film?x=1").full

    assert "rtsp://ann:p%40ss%2Fw0rd@h:554/film?x=1" == full
    assert ("ann", "p@ss/w0rd") == (parse_address(full).user, parse_address(full).password)


@pytest.mark.parametrize(
    ("here", "there", "same"),
    [
        ("http://h/a", "http://H:80/b", True),
        ("http://h/a", "http://h:81/a", False),
        ("http://h/a", "https://h/a", False),
        ("http://h/a", "http://other/a", False),
    ],
)
def test_the_same_place_is_scheme_machine_and_port(here, there, same):
    """Another path is the same camera; another port, machine or scheme is not."""
    assert same == parse_address(here).same_place(parse_address(there))


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("tables", "tables"),
        ("postgresql://ann:s3cret@db/kibitz", "postgresql://ann:***@db/kibitz"),
        ("postgresql://ann:s3/cr@t@db/kibitz", "postgresql://ann:***@db/kibitz"),
        ("postgresql://db/k?user=ann&password=s3cret", "postgresql://db/k?user=ann&password=***"),
        ("postgresql://db/k?sslpassword=s3cret", "postgresql://db/k?sslpassword=***"),
        ("sqlite:////tmp/a:b@c.db", "sqlite:////tmp/a:b@c.db"),
    ],
)
def test_a_database_is_shown_without_its_password(address, shown):
    """Its user and its host are what a person needs to find it."""
    assert shown == without_password(address)
