"""``python -m adjoin``: the command line."""

from adjoin.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
