"""A certificate authority of one's own: HTTPS lets a phone's page use its camera.

The authority is what a phone is told to trust. It may speak for addresses of private networks
and for this machine's names only, so that even its stolen key opens nothing else on the phone.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import ipaddress
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kibitz.app.common.addresses import PRIVATE
from kibitz.app.common.files import keep_private

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.x509 import Certificate, GeneralName

DAYS: Final = 397
"""Phones refuse certificates of servers that hold much longer."""
AUTHORITY_DAYS: Final = 3650
SPARE_DAYS: Final = 14
"""A certificate that runs out so soon is made anew."""
LOCAL_NAMES = ("localhost", "local", "lan", "home.arpa")


@dataclass(frozen=True, slots=True)
class Papers:
    """Certificate and key with which a server speaks HTTPS.

    Attributes:
        key: the file of the server's key.
        chain: the file of its certificate, followed by the authority's.
        authority: the authority's certificate (DER), for phones to trust.
    """

    key: Path
    chain: Path
    authority: bytes

    @property
    def fingerprint(self) -> str:
        """Beginning of the authority's fingerprint, short enough to compare by eye."""
        digest = hashlib.sha256(self.authority).hexdigest().upper()[:16]
        return " ".join(digest[i : i + 4] for i in range(0, 16, 4))


def local_papers(folder: Path, names: tuple[str, ...]) -> Papers:
    """Certificate files in a folder, renewed when they expire or names change.

    The authority stays as long as it can, so that phones need to be told only once.

    Args:
        folder: where they are kept.
        names: addresses and names under which the server is reached, besides localhost.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding

    folder.mkdir(parents=True, exist_ok=True)
    wanted = {"localhost", "127.0.0.1", *(n for n in names if n)}
    issuer_key, issuer = _authority(folder, wanted)
    key_path, chain = folder / "server-key.pem", folder / "server-certificate.pem"
    old = x509.load_pem_x509_certificate(chain.read_bytes()) if chain.is_file() else None
    fits = old is not None and key_path.is_file() and _holds(old)
    if not (fits and old is not None and wanted <= _names_of(old) and _issued(old, issuer)):
        key = _new_key()
        leaf = _leaf(key, wanted, issuer_key, issuer)
        _write_secret(key_path, _key_text(key))
        chain.write_bytes(leaf.public_bytes(Encoding.PEM) + issuer.public_bytes(Encoding.PEM))
    for path in (key_path, chain):
        keep_private(path)
    return Papers(key_path, chain, issuer.public_bytes(Encoding.DER))


def _authority(folder: Path, wanted: set[str]) -> tuple[EllipticCurvePrivateKey, Certificate]:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key

    key_path, path = folder / "authority-key.pem", folder / "authority.pem"
    if key_path.is_file() and path.is_file():
        key = load_pem_private_key(key_path.read_bytes(), None)
        old = x509.load_pem_x509_certificate(path.read_bytes())
        if isinstance(key, EllipticCurvePrivateKey) and _holds(old) and _may_name(old, wanted):
            return key, old
    fresh = _new_key()
    certificate = _new_authority(fresh, wanted)
    _write_secret(key_path, _key_text(fresh))
    path.write_bytes(certificate.public_bytes(Encoding.PEM))
    keep_private(path)
    return fresh, certificate


def _new_authority(key: EllipticCurvePrivateKey, wanted: set[str]) -> Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import NameOID

    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Kibitz in this house")])
    now = dt.datetime.now(dt.UTC)
    usage = x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=AUTHORITY_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), True)
        .add_extension(usage, True)
        .add_extension(x509.NameConstraints(_permitted(wanted), None), True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .sign(key, hashes.SHA256())
    )


def _permitted(wanted: set[str]) -> list[GeneralName]:
    """Names for which the authority may issue certificates."""
    from cryptography import x509

    ranges = [ipaddress.ip_network(n) for n in PRIVATE]
    names = set(LOCAL_NAMES)
    for one in sorted(wanted):
        try:
            address = ipaddress.ip_address(one)
        except ValueError:
            names.add(one)
            continue
        if not any(address in r for r in ranges if r.version == address.version):
            ranges.append(ipaddress.ip_network(address))
    return [*(x509.IPAddress(r) for r in ranges), *(x509.DNSName(n) for n in sorted(names))]


def _may_name(authority: Certificate, wanted: set[str]) -> bool:
    """True if the authority may issue certificates for all these names."""
    from cryptography import x509

    limits = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    allowed = {str(n.value) for n in limits.permitted_subtrees or ()}
    return {str(n.value) for n in _permitted(wanted)} <= allowed


def _leaf(
    key: EllipticCurvePrivateKey,
    names: set[str],
    issuer_key: EllipticCurvePrivateKey,
    issuer: Certificate,
) -> Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Kibitz on this machine")])
    now = dt.datetime.now(dt.UTC)
    signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key())
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName([_general(n) for n in sorted(names)]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .add_extension(signer, False)
        .sign(issuer_key, hashes.SHA256())
    )


def _issued(certificate: Certificate, issuer: Certificate) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        certificate.verify_directly_issued_by(issuer)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def _holds(certificate: Certificate) -> bool:
    left = certificate.not_valid_after_utc - dt.datetime.now(dt.UTC)
    return left > dt.timedelta(days=SPARE_DAYS)


def _names_of(certificate: Certificate) -> set[str]:
    from cryptography import x509

    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {
        *names.get_values_for_type(x509.DNSName),
        *(str(a) for a in names.get_values_for_type(x509.IPAddress)),
    }


def _general(name: str) -> GeneralName:
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _new_key() -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _key_text(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives import serialization

    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _write_secret(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
