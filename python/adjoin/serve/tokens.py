"""Secrets: of a seat, of the teacher; kept as hashes. And codes that people type."""

from __future__ import annotations

import hashlib
import hmac
import secrets

_LETTERS = "BCDFGHJKMNPQRTVWXY346789"
"""None that are mistaken for one another, and no vowels: a code is never a word."""
_CODE = 5


def new_token() -> str:
    """Return a secret that nobody guesses."""
    return secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """Return what is kept of a secret."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def is_token(given: object, kept: str | None) -> bool:
    """Return whether a secret is the one of which the hash is kept, in constant time."""
    text = given if isinstance(given, str) else ""
    return hmac.compare_digest(hashed(text), kept or "-" * 64) and kept is not None


def new_code() -> str:
    """Return a code for a room: 8 million there are, and tries are limited."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE))


def as_code(text: object) -> str:
    """Return a code as it was meant: in any case, with spaces."""
    return "".join(text.split()).upper()[: 2 * _CODE] if isinstance(text, str) else ""
