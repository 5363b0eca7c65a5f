"""ONVIF: cameras of the home network that answer a search, and the addresses of their streams.

A camera is believed about itself only: what it says of other machines is left out.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import secrets
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from defusedxml import DefusedXmlException
from defusedxml import ElementTree as SafeTree

from kibitz.app.cameras.http import RedirectedError, camera_opener
from kibitz.app.common.addresses import PRIVATE, Address, parse_address
from kibitz.app.common.errors import KibitzError
from kibitz.app.common.limits import LISTS, WAITS
from kibitz.engine.phrases import phrase

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

GROUP: Final = ("239.255.255.250", 3702)
"""Where cameras listen for who looks for them."""
_ENVELOPE: Final = "http://www.w3.org/2003/05/soap-envelope"
_SECURITY: Final = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
_PROBE: Final = (
    '<?xml version="1.0" encoding="utf-8"?><e:Envelope xmlns:e="{envelope}" '
    'xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" '
    'xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" '
    'xmlns:n="http://www.onvif.org/ver10/network/wsdl"><e:Header>'
    "<a:MessageID>uuid:{id}</a:MessageID>"
    "<a:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To>"
    "<a:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</a:Action></e:Header>"
    "<e:Body><d:Probe><d:Types>n:NetworkVideoTransmitter</d:Types></d:Probe></e:Body></e:Envelope>"
)
_NAME: Final = "onvif://www.onvif.org/name/"


@dataclass(frozen=True, slots=True)
class OnvifRule:
    """Limits of looking for cameras and asking them.

    Attributes:
        wait_s: for answers to a search, and for one answer of a camera.
        most_cameras: that are listed.
        most_streams: of one camera that are asked for.
        most_bytes: of one answer.
    """

    wait_s: float = WAITS.soon_s
    most_cameras: int = LISTS.first
    most_streams: int = LISTS.best
    most_bytes: int = 200_000


ONVIF: Final = OnvifRule()


class OnvifError(KibitzError):
    """A camera cannot be asked; the message says why."""


@dataclass(frozen=True, slots=True)
class FoundCamera:
    """A camera that answered: what it calls itself, and where it is asked for its streams."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class CameraStream:
    """A stream of a camera: its name, its size in pixels as far as told, its address."""

    name: str
    size: tuple[int, int] | None
    source: str


def find_cameras(
    group: tuple[str, int] = GROUP, rule: OnvifRule = ONVIF
) -> tuple[FoundCamera, ...]:
    """Cameras on the home network that answer within a few seconds, by their addresses.

    Args:
        group: where they listen.
        rule: how long it may take, and how much is read.
    """
    found: dict[str, FoundCamera] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
        line.bind(("", 0))
        probe = _PROBE.format(envelope=_ENVELOPE, id=uuid.uuid4()).encode()
        try:
            line.sendto(probe, group)
        except OSError as error:
            why = error.strerror or str(error)
            raise OnvifError(phrase("The network cannot be searched: {why}.", why=why)) from error
        end = time.monotonic() + rule.wait_s
        while (left := end - time.monotonic()) > 0 and len(found) < rule.most_cameras:
            line.settimeout(left)
            with suppress(OSError):
                data, (host, *_) = line.recvfrom(65_535)
                for camera in _cameras_in(data, host):
                    found.setdefault(camera.address, camera)
    return tuple(sorted(found.values(), key=lambda camera: (camera.name, camera.address)))


def _cameras_in(data: bytes, host: str) -> list[FoundCamera]:
    """Cameras that an answer names at the address that it came from."""
    try:
        answer = _parsed(data)
    except OnvifError:
        return []
    out = []
    for match in _all(answer, "ProbeMatch"):
        addresses = [a for x in _all(match, "XAddrs") for a in (x.text or "").split()]
        scopes = [s for x in _all(match, "Scopes") for s in (x.text or "").split()]
        names = [urllib.parse.unquote(s[len(_NAME) :]) for s in scopes if s.startswith(_NAME)]
        name = "".join(c for c in next(iter(names), host) if c.isprintable())[: LISTS.first]
        for given in addresses:
            address = parse_address(given)
            own = address.host == host and address.user is None and _is_private(host)
            if own and address.sure and address.scheme in ("http", "https"):
                out.append(FoundCamera(name or host, address.bare))
                break
    return out


def find_streams(
    where: str, user: str = "", password: str = "", rule: OnvifRule = ONVIF
) -> tuple[CameraStream, ...]:
    """Streams of a camera, as it lists them; their addresses hold no password.

    Args:
        where: the address at which it is asked, on a private network.
        user: who asks; empty: nobody named.
        password: that user's.
        rule: how long it may take, and how much is read.

    Raises:
        OnvifError: it does not answer, refuses the user, or is no such camera.
    """
    device = parse_address(where.strip())
    if not device.sure or device.scheme not in ("http", "https") or device.user is not None:
        raise OnvifError(phrase("Expected the camera's address, as http://192.168.1.30/onvif."))
    if not _is_private(device.host):
        raise OnvifError(phrase("Only cameras at an address of a private network are asked."))
    asking = _Asking(device, user, password, rule)
    profiles = asking.profiles()
    found = [stream for profile in profiles if (stream := asking.stream(profile)) is not None]
    if not found:
        raise OnvifError(phrase("The camera names no stream of its own."))
    return tuple(found)


class _Asking:
    """Questions to one camera."""

    def __init__(self, device: Address, user: str, password: str, rule: OnvifRule) -> None:
        self._device = device
        self._user, self._password = user, password
        self._rule = rule
        self._ahead = timedelta()
        handlers: list[urllib.request.BaseHandler] = [urllib.request.ProxyHandler({})]
        if user:
            known = urllib.request.HTTPPasswordMgrWithDefaultRealm()
            known.add_password(None, device.where, user, password)
            handlers.append(urllib.request.HTTPDigestAuthHandler(known))
        self._opener = camera_opener(*handlers)
        with suppress(OnvifError):  # a camera without a clock takes ours
            self._ahead = self._clock()
        self._media = self._media_path()

    def profiles(self) -> list[Element]:
        """Profiles of its streams."""
        answer = self._ask("media", "GetProfiles", "", self._media)
        return _all(answer, "Profiles")[: self._rule.most_streams]

    def stream(self, profile: Element) -> CameraStream | None:
        """Stream of a profile; None if it is another machine's."""
        token = profile.get("token", "")
        setup = (
            '<StreamSetup><Stream xmlns="http://www.onvif.org/ver10/schema">RTP-Unicast</Stream>'
            '<Transport xmlns="http://www.onvif.org/ver10/schema"><Protocol>RTSP</Protocol>'
            f"</Transport></StreamSetup><ProfileToken>{escape(token)}</ProfileToken>"
        )
        answer = self._ask("media", "GetStreamUri", setup, self._media)
        source = parse_address(next((x.text or "" for x in _all(answer, "Uri")), "").strip())
        ours = source.host == self._device.host and source.scheme in ("rtsp", "rtsps", "http")
        if not source.sure or not ours:
            return None
        name = next((x.text or "" for x in _all(profile, "Name")), "") or token
        sizes = [[x.text or "" for x in _all(profile, n)] for n in ("Width", "Height")]
        known = all(size and size[0].isdecimal() for size in sizes)
        size = (int(sizes[0][0]), int(sizes[1][0])) if known else None
        shown = "".join(filter(str.isprintable, name))[: LISTS.first]
        return CameraStream(shown, size, source.bare)

    def _clock(self) -> timedelta:
        """How far its clock is ahead; a password counts at its time only."""
        answer = self._ask("device", "GetSystemDateAndTime", "", self._device.path, known=False)
        utc = next(iter(_all(answer, "UTCDateTime")), None)
        if utc is None:
            return timedelta()
        fields = ("Year", "Month", "Day", "Hour", "Minute", "Second")
        try:
            told = [int(next(x.text or "" for x in _all(utc, n))) for n in fields]
            year, month, day, hour, minute, second = told
            there = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
            return there - datetime.now(UTC)
        except (ValueError, StopIteration, TypeError, OverflowError):
            return timedelta()

    def _media_path(self) -> str:
        """Path at which it is asked for streams; of an address elsewhere only the path counts."""
        answer = self._ask("device", "GetCapabilities", "<Category>Media</Category>")
        media = next(iter(_all(answer, "Media")), None)
        told = "" if media is None else next((x.text or "" for x in _all(media, "XAddr")), "")
        return parse_address(told.strip()).path or self._device.path

    def _ask(
        self, service: str, name: str, inner: str, path: str | None = None, *, known: bool = True
    ) -> Element:
        """Answer to one question.

        Raises:
            OnvifError: there is none.
        """
        body = (
            f'<?xml version="1.0" encoding="utf-8"?><e:Envelope xmlns:e="{_ENVELOPE}"><e:Header>'
            f"{self._who() if known and self._user else ''}</e:Header><e:Body>"
            f'<{name} xmlns="http://www.onvif.org/ver10/{service}/wsdl">{inner}</{name}>'
            "</e:Body></e:Envelope>"
        ).encode()
        address = self._device.where + (self._device.path if path is None else path)
        headers = {"Content-Type": "application/soap+xml; charset=utf-8"}
        request = urllib.request.Request(address, body, headers)
        try:
            with self._opener.open(request, timeout=self._rule.wait_s) as answer:
                return _parsed(self._read(answer))
        except urllib.error.HTTPError as error:
            error.close()
            refused = error.code in (400, 401, 403)
            raise OnvifError(
                phrase("The camera refuses this user and password.")
                if refused
                else phrase("The camera answers with error {code}.", code=error.code)
            ) from None
        except (OSError, HTTPException, ValueError, RedirectedError) as error:
            # nothing that the other end says is passed on
            raise OnvifError(phrase("The camera does not answer.")) from error

    def _read(self, answer: object) -> bytes:
        """Body of an answer, if it is neither too long nor too slow."""
        data, end = b"", time.monotonic() + self._rule.wait_s
        while part := answer.read1(65_536):  # type: ignore[attr-defined] # what urllib opens
            data += part
            if len(data) > self._rule.most_bytes or time.monotonic() > end:
                raise OSError("too long")
        return data

    def _who(self) -> str:
        """Header that says who asks, with a digest of the password instead of it."""
        nonce = secrets.token_bytes(16)
        made = (datetime.now(UTC) + self._ahead).strftime("%Y-%m-%dT%H:%M:%SZ")
        secret = nonce + made.encode() + self._password.encode()
        digest = hashlib.sha1(secret, usedforsecurity=False).digest()  # as ONVIF asks for it
        kind = f"{_SECURITY}username-token-profile-1.0#PasswordDigest"
        return (
            f'<s:Security xmlns:s="{_SECURITY}wssecurity-secext-1.0.xsd"><s:UsernameToken>'
            f'<s:Username>{escape(self._user)}</s:Username><s:Password Type="{kind}">'
            f"{base64.b64encode(digest).decode()}</s:Password>"
            f"<s:Nonce>{base64.b64encode(nonce).decode()}</s:Nonce>"
            f'<u:Created xmlns:u="{_SECURITY}wssecurity-utility-1.0.xsd">{made}</u:Created>'
            "</s:UsernameToken></s:Security>"
        )


def _is_private(host: str) -> bool:
    """True for a number on a private network or this machine; a name may lead anywhere."""
    try:
        there = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return any(there in ipaddress.ip_network(network) for network in PRIVATE)


def _parsed(data: bytes) -> Element:
    """An answer's XML, in which nothing is unfolded.

    Raises:
        OnvifError: it is none.
    """
    try:
        found: Element = SafeTree.fromstring(data, forbid_dtd=True)
    except (SafeTree.ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise OnvifError(phrase("What answers there is no ONVIF camera.")) from error
    return found


def _all(element: Element, name: str) -> list[Element]:
    """Elements below one with a name, whatever their namespace."""
    return [x for x in element.iter() if x.tag.rpartition("}")[2] == name]
