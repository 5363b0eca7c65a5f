"""The house's own authority: its certificate is taken by a real TLS client, and names nothing else."""

from __future__ import annotations

import datetime as dt
import ipaddress
import ssl
import stat
import threading
from pathlib import Path

import httpx
import pytest
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from fastapi.testclient import TestClient

from kibitz.app.cli.serving.place import listen
from kibitz.app.server.access import certificate
from kibitz.app.server.access.certificate import Papers, local_papers
from kibitz.app.server.app import create_app
from tests.app.server_help import make_session


def leaf_of(papers: Papers) -> x509.Certificate:
    return x509.load_pem_x509_certificates(papers.chain.read_bytes())[0]


def trusting(papers: Papers) -> ssl.SSLContext:
    """A client that trusts this authority and nobody else."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    context.load_verify_locations(cadata=papers.authority)
    return context


def test_a_client_that_trusts_the_authority_opens_the_page(tmp_path: Path) -> None:
    """With the authority trusted, https works without any warning; without it, it does not."""
    papers = local_papers(tmp_path / "papers", ("192.168.1.7",))
    session = make_session(tmp_path)
    session.papers = papers
    place = listen("127.0.0.1", 0, https=True)
    config = uvicorn.Config(
        create_app(session),
        log_level="warning",
        ssl_keyfile=str(papers.key),
        ssl_certfile=str(papers.chain),
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([place.listener],), daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.02)
    try:
        page = httpx.get(place.address + "/trust", verify=trusting(papers))
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            httpx.get(place.address + "/trust")
    finally:
        server.should_exit = True
        thread.join(10)

    assert page.status_code == 200


def test_the_papers_stay_and_phones_are_told_once(tmp_path: Path) -> None:
    """The same names get the same papers; a new address a new certificate, the same authority."""
    first = local_papers(tmp_path, ("192.168.1.7", "kitchen"))
    kept = leaf_of(first).serial_number
    again = leaf_of(local_papers(tmp_path, ("192.168.1.7", "kitchen"))).serial_number
    moved = local_papers(tmp_path, ("10.0.0.4", "kitchen"))

    assert kept == again
    assert leaf_of(moved).serial_number != kept
    assert moved.authority == first.authority


def test_what_runs_out_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate with a few days left is replaced before it runs out."""
    monkeypatch.setattr(certificate, "DAYS", 3)
    old = leaf_of(local_papers(tmp_path, ()))
    monkeypatch.undo()
    new = leaf_of(local_papers(tmp_path, ()))

    assert new.not_valid_after_utc - old.not_valid_after_utc > dt.timedelta(days=300)


def test_the_authority_speaks_for_private_addresses_alone(tmp_path: Path) -> None:
    """It is limited to this machine's names and private networks, and issues to no further one."""
    authority = x509.load_der_x509_certificate(local_papers(tmp_path, ("kitchen",)).authority)
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints)
    basic = authority.extensions.get_extension_for_class(x509.BasicConstraints).value
    trees = limits.value.permitted_subtrees or []
    networks = [t.value for t in trees if isinstance(t, x509.IPAddress)]
    names = {t.value for t in trees if isinstance(t, x509.DNSName)}

    assert limits.critical is True
    assert (basic.ca, basic.path_length) == (True, 0)
    assert [n for n in networks if not n.is_private and not n.is_link_local] == []
    assert names == {"localhost", "local", "lan", "home.arpa", "kitchen"}


def test_a_public_address_is_named_only_when_asked_for(tmp_path: Path) -> None:
    """A server with a public address has it in both papers, and nothing around it."""
    papers = local_papers(tmp_path, ("203.0.114.9",))
    authority = x509.load_der_x509_certificate(papers.authority)
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    public = [t.value for t in limits.permitted_subtrees or [] if isinstance(t, x509.IPAddress)]
    names = leaf_of(papers).extensions.get_extension_for_class(x509.SubjectAlternativeName).value

    assert ipaddress.ip_network("203.0.114.9/32") in public
    assert ipaddress.ip_address("203.0.114.9") in names.get_values_for_type(x509.IPAddress)


def test_keys_are_their_owners_alone(tmp_path: Path) -> None:
    """Neither key file may be read by anybody else."""
    local_papers(tmp_path, ())
    modes = [stat.S_IMODE(p.stat().st_mode) for p in sorted(tmp_path.glob("*-key.pem"))]

    assert modes == [0o600, 0o600]


def test_a_phone_gets_the_authority_and_never_a_key(tmp_path: Path) -> None:
    """The download is the authority's certificate; without https there is none."""
    session = make_session(tmp_path)
    client = TestClient(create_app(session))
    without = client.get("/api/authority")
    session.papers = local_papers(tmp_path / "papers", ())
    given = client.get("/api/authority")
    session.close()
    named = x509.load_der_x509_certificate(given.content)

    assert (without.status_code, without.json()["error"]["code"]) == (404, "not_found")
    assert given.headers["content-type"] == "application/x-x509-ca-cert"
    assert given.headers["x-fingerprint"] == session.papers.fingerprint
    assert named.public_bytes(Encoding.DER) == session.papers.authority
    assert b"PRIVATE" not in given.content
