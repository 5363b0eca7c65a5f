"""ONVIF: cameras that answer a search on the network, and the addresses of their streams."""

from __future__ import annotations

import base64
import hashlib
import re
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from kibitz.app.cameras.onvif import OnvifError, OnvifRule, find_cameras, find_streams
from tests.app.server_help import bearer

RULE = OnvifRule(wait_s=1.0)
MATCH = (
    '<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:d="urn:d"><e:Body>'
    "<d:ProbeMatches><d:ProbeMatch><d:Scopes>onvif://www.onvif.org/name/Front%20door "
    "onvif://www.onvif.org/type/video</d:Scopes><d:XAddrs>{addresses}</d:XAddrs>"
    "</d:ProbeMatch></d:ProbeMatches></e:Body></e:Envelope>"
)
BOMB = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'


class Camera(BaseHTTPRequestHandler):
    """A camera that speaks ONVIF to whoever knows its password."""

    says: dict[str, str]
    asked: list[str]

    def do_POST(self) -> None:
        """Answer one question."""
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        name = next(x for x in self.says if f"<{x} " in body)
        self.asked.append(name)
        known = name == "GetSystemDateAndTime" or self.knows(body)
        text, _, elsewhere = self.says[name].partition("->")
        self.send_response(302 if elsewhere else 200 if known else 400)
        if elsewhere:
            self.send_header("location", elsewhere)
        data = text.encode() if known else b""
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def knows(self, body: str) -> bool:
        """Whether the digest is that of the password at the camera's own time."""
        digest, nonce, made = (
            re.search(rf"<\w:{name}[^>]*>([^<]*)<", body)
            for name in ("Password", "Nonce", "Created")
        )
        if not (digest and nonce and made) or not made[1].startswith("2001-02-03T04:05"):
            return False
        whole = base64.b64decode(nonce[1]) + made[1].encode() + b"seven & nine"
        return base64.b64decode(digest[1]) == hashlib.sha1(whole, usedforsecurity=False).digest()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def fields(**values: int) -> str:
    """Elements with numbers."""
    return "".join(f"<t:{k}>{v}</t:{k}>" for k, v in values.items())


@pytest.fixture
def camera() -> Iterator[tuple[str, type[Camera]]]:
    """A camera's address, and what it says."""
    time = fields(Hour=4, Minute=5, Second=6) + fields(Year=2001, Month=2, Day=3)

    class Own(Camera):
        pass

    Own.asked = []
    Own.says = {
        "GetSystemDateAndTime": f'<t:x xmlns:t="t"><t:UTCDateTime>{time}</t:UTCDateTime></t:x>',
        "GetCapabilities": "<x><Media><XAddr>http://203.0.113.9/media</XAddr></Media></x>",
        "GetProfiles": '<x><Profiles token="p1"><Name>Main</Name><Width>1920</Width>'
        '<Height>1080</Height></Profiles><Profiles token="p2"/></x>',
        "GetStreamUri": "<x><Uri>rtsp://127.0.0.1:554/main?profile=1</Uri></x>",
    }

    server = ThreadingHTTPServer(("127.0.0.1", 0), Own)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/onvif/device_service", Own
    server.shutdown()
    server.server_close()


def answering(*answers: str) -> tuple[str, int]:
    """A place on this machine that answers one search with some datagrams."""
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.bind(("127.0.0.1", 0))
    line.settimeout(10)

    def answer() -> None:
        with line:
            probe, who = line.recvfrom(65_535)
            assert b"NetworkVideoTransmitter" in probe
            for text in answers:
                line.sendto(text.encode(), who)

    threading.Thread(target=answer, daemon=True).start()
    return line.getsockname()


def test_cameras_that_answer_are_listed_by_name():
    """Each once; of what they name only their own address counts, and bombs are not unfolded."""
    own = "http://127.0.0.1/onvif/device_service"
    group = answering(
        MATCH.format(addresses=f"http://203.0.113.9/other {own}"),
        MATCH.format(addresses=own),
        MATCH.format(addresses="http://192.168.1.1/router"),
        MATCH.format(addresses="http://me:secret@127.0.0.1/x"),
        BOMB,
        "no XML at all",
    )
    found = find_cameras(group, RULE)

    assert [("Front door", own)] == [(one.name, one.address) for one in found]


def test_a_camera_tells_its_streams_to_who_knows_its_password(camera):
    """The password goes as a digest made at the camera's own time, and to that camera only."""
    address, own = camera
    streams = find_streams(address, "viewer", "seven & nine", RULE)
    with pytest.raises(OnvifError, match="refuses this user"):
        find_streams(address, "viewer", "wrong", RULE)

    assert ("Main", (1920, 1080), "rtsp://127.0.0.1:554/main?profile=1") == (
        streams[0].name, streams[0].size, streams[0].source
    )  # fmt: skip
    assert ("p2", None) == (streams[1].name, streams[1].size)
    assert "GetStreamUri" in own.asked


@pytest.mark.parametrize(
    ("name", "says", "told"),
    [
        ("GetStreamUri", "<x><Uri>rtsp://203.0.113.9/main</Uri></x>", "names no stream"),
        ("GetStreamUri", "<x><Uri>file:///etc/passwd</Uri></x>", "names no stream"),
        ("GetProfiles", BOMB, "no ONVIF camera"),
        ("GetProfiles", "<html>hello", "no ONVIF camera"),
        ("GetProfiles", "<x>" + " " * 300_000 + "</x>", "does not answer"),
        ("GetProfiles", "->http://203.0.113.9/", "does not answer"),
    ],
)
def test_a_camera_that_lies_leads_nowhere(camera, name, says, told):
    address, own = camera
    own.says = {**own.says, name: says}
    with pytest.raises(OnvifError, match=told):
        find_streams(address, "viewer", "seven & nine", RULE)


@pytest.mark.parametrize(
    "address", ["http://203.0.113.9/onvif", "http://camera.example/", "ftp://127.0.0.1/", "x", ""]
)
def test_only_cameras_of_a_private_network_are_asked(address):
    with pytest.raises(OnvifError, match=r"private network|Expected the camera"):
        find_streams(address, rule=RULE)


def test_only_the_servers_host_looks_for_cameras(client, session, camera):
    """Not even a table's host; what is asked for is answered in words."""
    address, _ = camera
    body = {"address": address, "user": "viewer", "password": "seven & nine"}
    found = client.post("/api/cameras/streams", json=body).json()
    refused = client.post("/api/cameras/streams", json={"address": "http://203.0.113.9/"})
    session.open_to_all = False
    paths = [client.get("/api/cameras/found"), client.post("/api/cameras/streams", json=body)]
    other = client.get("/api/cameras/found", headers=bearer("no key"))

    assert ["Main", "p2"] == [one["name"] for one in found["streams"]]
    assert "seven" not in str(found)
    assert (409, "not_found_out") == (refused.status_code, refused.json()["error"]["code"])
    assert [401, 401, 403] == [answer.status_code for answer in (*paths, other)]
