"""What every page must have: nothing from elsewhere, links that lead somewhere, words for pictures, a phone's width."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

LOADING = {"img": "src", "link": "href", "iframe": "src", "source": "src", "image": "href", "use": "href"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []
        self.links: list[str] = []
        self.has_viewport = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        loaded = values.get(LOADING.get(tag, ""), "")
        if tag == "script":
            self.problems.append("has a script; pages need none")
        elif loaded and not loaded.startswith("data:"):
            self.problems.append(f"loads {loaded}")
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag in ("svg", "img") and not (values.get("aria-label") or values.get("alt")):
            self.problems.append("has a picture without words")
        self.has_viewport |= tag == "meta" and values.get("name") == "viewport"


def problems_of_page(text: str, pages: set[str]) -> list[str]:
    """What is wrong with one page; `pages` are the files it may link to."""
    reader = _Reader()
    reader.feed(text)
    found = list(reader.problems)
    found += [f"links to {link}, which is not there" for link in reader.links if link.partition("#")[0] not in pages]
    for each in ("url(", "@import"):
        if each in text.partition("</head>")[0]:
            found.append(f"its style has {each}")
    if not reader.has_viewport:
        found.append("does not fit a phone: no viewport")
    return found


def problems(site: Path) -> list[str]:
    """What is wrong with the pages of a site, one line each."""
    files = sorted(site.glob("*.html"))
    names = {path.name for path in files}
    return [f"{path.name}: {each}" for path in files for each in problems_of_page(path.read_text("utf-8"), names)]
