"""The lessons as static pages: one file each and an index, everything inside, nothing loaded from elsewhere."""

from __future__ import annotations

import copy
import re
import shutil
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from nbconvert import HTMLExporter
from pygments.formatters import HtmlFormatter

from notebooks import cells

TEMPLATE = Path(__file__).resolve().parent / "template"


def _style() -> str:
    light = HtmlFormatter(style="tango").get_style_defs(".highlight")
    dark = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
    plain = ".highlight { background: none; }"  # the page's own colours lie below
    css = (TEMPLATE / "style.css").read_text(encoding="utf-8")
    return f"{css}\n{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n{plain}"


def _exporter() -> HTMLExporter:
    return HTMLExporter(
        extra_template_basedirs=[str(TEMPLATE.parent)],
        template_name=TEMPLATE.name,
        exclude_anchor_links=True,
        embed_images=True,
    )


def _link(lesson: tuple[Path, Any]) -> dict[str, str]:
    path, notebook = lesson
    return {"href": f"{path.stem}.html", "title": cells.title(notebook)}


def write(site: Path, lessons: Sequence[tuple[Path, Any]]) -> Path:
    """Write the pages of these lessons, in order, and an index; returns the index. What was in `site` goes."""
    if site.exists():
        shutil.rmtree(site)
    site.mkdir(parents=True)
    exporter, style = _exporter(), _style()
    for k, (path, notebook) in enumerate(lessons):
        resources = {
            "title": cells.title(notebook),
            "style": style,
            "before": _link(lessons[k - 1]) if k else None,
            "after": _link(lessons[k + 1]) if k + 1 < len(lessons) else None,
        }
        body, _ = exporter.from_notebook_node(_asked(notebook), resources=resources)
        (site / f"{path.stem}.html").write_text(_between_lessons(body), encoding="utf-8")
    index = site / "index.html"
    index.write_text(_index(lessons, style), encoding="utf-8")
    return index


def _asked(notebook: Any) -> Any:
    """Mark the cells whose output answers a question, so that a reader sees the question first."""
    marked, asked = copy.deepcopy(notebook), False
    for cell in marked.cells:
        asked = "**Before you run" in cell.source if cell.cell_type == "markdown" else asked
        cell.metadata["asked"] = asked
    return marked


def _between_lessons(page: str) -> str:
    """Links to notebooks lead to pages; files of the project are not on the site, so their names stay as text."""
    page = re.sub(r'<a href="\.\./[^"]*">(.*?)</a>', r"\1", page)
    return page.replace('.ipynb"', '.html"')


def _index(lessons: Sequence[tuple[Path, Any]], style: str) -> str:
    rows = []
    for lesson in lessons:
        link = _link(lesson)
        question = _question(lesson[1])
        rows.append(f'<li><p><a href="{link["href"]}">{escape(link["title"])}</a><br>{escape(question)}</p></li>')
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<link rel="icon" href="data:,"><title>Lessons</title><style>{style} li {{ list-style: none; }} '
        "ul { padding: 0; }</style></head>\n"
        "<body><main><h1>From a transpose to a CUDA kernel</h1><p>Lessons that run on a laptop without a GPU. Each has "
        "one idea, a question, pictures and an exercise.</p><ul>\n" + "\n".join(rows) + "\n</ul></main></body></html>\n"
    )


def _question(notebook: Any) -> str:
    """The line under the title: what the lesson asks."""
    lines = [line for line in cells.source(notebook["cells"][0]).splitlines()[1:] if line.strip()]
    return lines[0].strip("*_ ") if lines else ""
