# SPDX-License-Identifier: GPL-3.0-or-later
"""Hook of mkdocs.yml: follows links that leave `docs`, so that the site has no broken link.

With `repo_url` such a link leads to the file in the repository. Without it the file becomes a page of the site below
`project/`: Markdown as a page, any other text as a listing. A folder is its README, or plain words where it has none.
A link to a file that does not exist stays as it is, and `strict` fails on it.
"""

import os
import posixpath
import re

from mkdocs.structure.files import File

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
COMMENT = re.compile(r"<!--.*?-->", re.S)
FENCED = re.compile(r"^(`{3,}).*?^\1", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
LANGUAGES = {".yaml": "yaml", ".py": "python", ".swift": "swift", ".c": "c", ".h": "c", ".cff": "yaml"}
# Pages and listings that would drown the others in the search.
UNSEARCHED = ("evidence/", "project/")


def root(config):
    return os.path.dirname(config.config_file_path)


def target(page, link):
    """The path of a link in the repository; `page` is the path of its page there."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))


def repository_path(uri):
    """The path in the repository of a page of the site."""
    if not uri.startswith("project/"):
        return "docs/" + uri
    path = uri.removeprefix("project/")
    return path if not path.endswith(".listing.md") else path.removesuffix(".listing.md")


def site_path(path, config):
    """Where the site has a file of the repository; nothing if it has none."""
    full = os.path.join(root(config), path)
    if os.path.isdir(full):
        return site_path(path + "/README.md", config) if os.path.isfile(full + "/README.md") else None
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path.startswith("..") or not os.path.isfile(full):
        return None
    return "project/" + (path if path.endswith(".md") else path + ".listing.md")


def read(path, config):
    with open(os.path.join(root(config), path), encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".md"):
        return text
    language = LANGUAGES.get(os.path.splitext(path)[1], "text")
    return f"# {path}\n\n````{language}\n{text}\n````\n"


def outside(text, page):
    """The paths outside docs to which a text links."""
    paths = {target(page, link) for image, _, link, _ in LINK.findall(FENCED.sub("", text)) if not image}
    return {path for path in paths if not path.startswith("docs/")}


def on_files(files, config):
    if config.repo_url:
        return files
    found = set()
    for file in files.documentation_pages():
        found |= outside(file.content_string, repository_path(file.src_uri))
    done = set()
    while found:
        path = found.pop()
        uri = site_path(path, config)
        if uri is None or uri in done or uri.startswith("../"):
            continue
        done.add(uri)
        text = read(repository_path(uri), config)
        files.append(File.generated(config, uri, content=text))
        if repository_path(uri).endswith(".md"):
            found |= outside(text, repository_path(uri))
    return files


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    if uri.startswith(UNSEARCHED):
        page.meta.setdefault("search", {})["exclude"] = True
    if uri.endswith(".listing.md"):
        return markdown
    place = repository_path(uri)

    def rewritten(match):
        words, link, anchor = f"{match[1]}[{match[2]}]", match[3], match[4] or ""
        path = target(place, link)
        if config.repo_url and not path.startswith("docs/"):
            kind = "tree" if os.path.isdir(os.path.join(root(config), path)) else "blob"
            return f"{words}({config.repo_url.rstrip('/')}/{kind}/main/{path}{anchor})"
        if os.path.isdir(os.path.join(root(config), path)) and site_path(path, config) is None:
            return match[2]
        goal = site_path(path, config)
        if goal is None:
            return match[0]
        return f"{words}({posixpath.relpath(goal, posixpath.dirname(uri) or '.')}{anchor})"

    pieces, last = [], 0
    for code in FENCED.finditer(markdown):
        pieces += [LINK.sub(rewritten, COMMENT.sub("", markdown[last:code.start()])), code[0]]
        last = code.end()
    pieces.append(LINK.sub(rewritten, COMMENT.sub("", markdown[last:])))
    # Cells of tables hold `a\|b`; Python's Markdown keeps the backslash in code.
    lines = "".join(pieces).split("\n")
    return "\n".join(
        CODE.sub(lambda code: code[0].replace("\\|", "|"), line) if line.startswith("|") else line for line in lines)
