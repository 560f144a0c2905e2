"""Pages of the classroom in a browser, with the network off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class OfflinePage:
    """A page with the network off; what it asked for and what went wrong."""

    def __init__(self, browser: Any, path: Path, **context: Any) -> None:
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.context = browser.new_context(offline=True, **context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(message.text))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.address = path.as_uri()

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).first.inner_text())

    def close(self) -> None:
        """Close it, and check that nothing went wrong and nothing was asked for."""
        self.context.close()
        assert self.errors == []
        assert {address.partition("#")[0] for address in self.requests} <= {self.address}


class QuizPage(OfflinePage):
    """A quiz on a page."""

    def __init__(self, browser: Any, path: Path, **context: Any) -> None:
        super().__init__(browser, path, **context)
        self.keys = self.page.keyboard

    def open(self) -> QuizPage:
        self.page.goto(self.address)
        return self

    def button(self, name: str, *, exact: bool = True) -> Any:
        return self.page.get_by_role("button", name=name, exact=exact)

    def focused(self) -> str:
        """Return what has the focus: its words, label or place on the map."""
        return str(
            self.page.evaluate(
                "(e => e.dataset.id ?? e.ariaLabel ?? e.textContent)(document.activeElement)"
            )
        )


def point(page: QuizPage, key: str) -> tuple[float, float]:
    """Return where a place is on the screen."""
    x, y = page.page.evaluate(
        """(key) => {
          const { map } = JSON.parse(document.getElementById("quiz").textContent).quiz;
          const svg = document.querySelector(".adjoin-map svg");
          const shown = new DOMPoint(...map.places[key].at).matrixTransform(svg.getScreenCTM());
          return [shown.x, shown.y];
        }""",
        key,
    )
    return x, y


def run(engine: Any, code: str, given: Any) -> Any:
    """Run a function on the page; as text, things get there and back faster."""
    text = engine.evaluate(
        f"(text) => JSON.stringify(({code})(JSON.parse(text)))", json.dumps(given)
    )
    return json.loads(text)
