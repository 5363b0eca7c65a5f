"""A certificate of this machine's own: phones give a page its camera only over HTTPS."""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.x509 import Certificate, GeneralName

DAYS = 825
"""Browsers on phones refuse certificates that hold longer."""


def local_certificate(folder: Path, names: tuple[str, ...]) -> tuple[Path, Path]:
    """The key and certificate files in a folder, made anew when they ran out or names changed.

    Args:
        folder: where they are kept.
        names: addresses and names under which the server is reached, besides localhost.

    Returns:
        The paths of the key and of the certificate.
    """
    from cryptography import x509

    key_path, path = folder / "server-key.pem", folder / "server-certificate.pem"
    wanted = {"localhost", "127.0.0.1", *names}
    if key_path.is_file() and path.is_file():
        old = x509.load_pem_x509_certificate(path.read_bytes())
        now = dt.datetime.now(dt.UTC)
        if wanted <= _names_of(old) and old.not_valid_after_utc > now + dt.timedelta(days=7):
            return key_path, path
    folder.mkdir(parents=True, exist_ok=True)
    key, certificate = _make(wanted)
    _write_secret(key_path, key)
    path.write_bytes(certificate)
    return key_path, path


def _names_of(certificate: Certificate) -> set[str]:
    from cryptography import x509

    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {
        *names.get_values_for_type(x509.DNSName),
        *(str(a) for a in names.get_values_for_type(x509.IPAddress)),
    }


def _make(names: set[str]) -> tuple[bytes, bytes]:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Kibitz on this machine")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=DAYS))
        .add_extension(x509.SubjectAlternativeName([_general(n) for n in sorted(names)]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return secret, certificate.public_bytes(pem)


def _general(name: str) -> GeneralName:
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _write_secret(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
