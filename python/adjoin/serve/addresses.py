"""Where this machine is found, and whether somebody means this machine."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


def lan_address() -> str:
    """Return the address by which other machines of the network reach this one, as far as known.

    Nothing is sent: the system is only asked which way it would send.
    """
    for family, somewhere in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((somewhere, 9))
                address = str(probe.getsockname()[0])
            except OSError:
                continue
            if not ipaddress.ip_address(address).is_loopback:
                return address
    return socket.gethostname()


def own_names() -> set[str]:
    """Return what a network may call this machine."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return {name, short, f"{short}.local"}


def url(host: str, port: int) -> str:
    """Return the address of a page."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def split_host(given: str) -> tuple[str, int] | None:
    """Return the name and the port of a Host header, or None if it is none."""
    try:
        parts = urlsplit(f"//{given}")
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not name or parts.path or parts.query or parts.fragment or parts.username is not None:
        return None
    return name, 80 if port is None else port


def is_ours(given: str, local: tuple[str, int], names: set[str]) -> bool:
    """Return whether a Host header names this machine.

    ``local`` is the end of the connection that is ours: its address is one of this machine. A name
    that somebody else's DNS leads here by is not ours.
    """
    split = split_host(given)
    if split is None or split[1] != local[1]:
        return False
    address = local[0].removeprefix("::ffff:")
    is_loopback = ipaddress.ip_address(address.partition("%")[0]).is_loopback
    return split[0] in {address, *names, *(_LOOPBACK_NAMES if is_loopback else ())}


def is_same_origin(origin: str | None, host: str) -> bool:
    """Return whether a page that asks is one that this server gave."""
    return origin is not None and origin.lower() == f"http://{host.lower()}"
