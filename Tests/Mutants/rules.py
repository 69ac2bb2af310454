# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults made by rules of the syntax: the candidates that `by-rule` draws from.

Each rule changes one token or statement of Swift as swift-format lays it out: binary operators have spaces on both
sides. Left alone are declarations without a value, patterns after `case`, attributes, literals of text, and what is
within `precondition`, `assert` and `fatalError`.
"""
import re

RULES = ("comparison", "boundary", "boolean", "negation", "arithmetic", "sign", "constant", "min/max", "dropped call",
         "dropped assignment", "swapped arguments", "early return")
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
COMPARISON = {"==": "!=", "!=": "==", "<": ">", ">": "<", "<=": ">", ">=": "<"}
BOOLEAN = {"&&": "||", "||": "&&"}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*"}
SIGN = {"+=": "-=", "-=": "+="}
ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="}
OPEN, CLOSE = "([{", ")]}"
BEFORE = {",", ";", ":", "->", "&&", "||", "?", "return", "if", "guard", "while", "where", "in", "else", "case", "throw",
          "let", "var", "for", "switch", "default", "do", "defer", "yield"} | ASSIGN
AFTER = {",", ";", ":", "&&", "||", "?", "else", "where"} | ASSIGN
WORDS = BEFORE | {"func", "init", "static", "private", "package", "public", "struct", "enum", "extension", "import",
                  "break", "continue", "fallthrough", "repeat", "mutating", "typealias", "subscript", "get", "set",
                  "deinit", "try", "_", "class", "protocol", "internal", "fileprivate", "override", "consuming",
                  "borrowing", "nonisolated", "lazy", "weak", "unowned", "indirect", "final", "convenience", "self"}
TYPES = {"struct", "class", "enum", "extension", "protocol", "actor"}
GUARDS = {"precondition", "assert", "fatalError", "preconditionFailure", "assertionFailure"}
NUMBER = re.compile(r"0x[0-9a-fA-F_]+|0b[01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?")
TOKEN = re.compile(r"[A-Za-z_$@#][A-Za-z0-9_]*|`[^`]+`|\.\.\.|\.\.<|[-+*/%<>=!&|^~?]+|\S")


class Token:
    def __init__(self, text, start, line, is_first):
        self.text, self.start, self.end, self.line, self.is_first = text, start, start + len(text), line, is_first
        self.is_spaced = False
        self.pair = None
        self.is_code = False


def literal_end(source, at):
    """Where a literal of text that begins at this place ends, with the literals within it."""
    hashes = re.match(r"#*", source[at:])[0]
    at += len(hashes)
    quote = '"""' if source.startswith('"""', at) else '"'
    at += len(quote)
    escape = "\\" + hashes
    while not source.startswith(quote + hashes, at):
        if source.startswith(escape + "(", at):
            at, depth = at + len(escape) + 1, 1
            while depth:
                if source[at] == '"':
                    at = literal_end(source, at)
                    continue
                depth += (source[at] == "(") - (source[at] == ")")
                at += 1
        else:
            at += len(escape) + 1 if source.startswith(escape, at) else 1
    return at + len(quote) + len(hashes)


def tokens(source):
    """The tokens of a source without its comments, brackets paired."""
    found, at, line, last_line, stack = [], 0, 1, 0, []
    while at < len(source):
        character = source[at]
        if character.isspace():
            line += character == "\n"
            at += 1
            continue
        if source.startswith("//", at):
            at = source.find("\n", at) if "\n" in source[at:] else len(source)
            continue
        if source.startswith("/*", at):
            end = source.index("*/", at) + 2
        elif character == '"' or re.match(r'#+"', source[at:at + 8]):
            end = literal_end(source, at)
            found.append(Token(source[at:end], at, line, line != last_line))
        else:
            text = (NUMBER.match(source, at) or TOKEN.match(source, at))[0]
            end = at + len(text)
            token = Token(text, at, line, line != last_line)
            token.is_spaced = source[at - 1:at].isspace() and source[end:end + 1].isspace()
            if text in OPEN:
                stack.append(token)
            elif text in CLOSE:
                token.pair, stack[-1].pair = stack[-1], token
                stack.pop()
            found.append(token)
        line += source.count("\n", at, end)
        last_line = line
        at = end
    for index, token in enumerate(found):
        token.index = index
    mark_code(found)
    return found


def mark_code(found):
    """Says of each token whether it is in the body of a function rather than of a type."""
    stack = []
    for token in found:
        token.is_code = bool(stack) and stack[-1]
        if token.text == "{":
            before, index = set(), token.index - 1
            while index >= 0 and found[index].text not in "{};":
                before.add(found[index].text)
                index = found[index].pair.index - 1 if found[index].text in ")]" else index - 1
            stack.append(bool(stack) and stack[-1] or not before & TYPES)
        elif token.text == "}":
            stack.pop()


def goes_on(found, index):
    """Whether a token at the head of a line goes on with the expression of the line before."""
    token, before = found[index], found[index - 1]
    if not token.is_first:
        return True
    if token.text.startswith(".") or token.text in ("?", ":", "else"):
        return True
    return token.text in CLOSE or is_binary(token) or is_binary(before) or before.text in OPEN or before.text == ","


def is_binary(token):
    return token.is_spaced and bool(re.fullmatch(r"[-+*/%<>=!&|^~?]+|\.\.\.|\.\.<", token.text))


def region(found, index, also=()):
    """First and last token of the expression around one, which ends at operators that bind less tightly."""
    left = found[index].pair.index if found[index].text in CLOSE else index
    while left > 0:
        before = found[left - 1]
        if before.text in OPEN or before.text in BEFORE and (before.is_spaced or not is_operator(before)):
            break
        if is_binary(before) and before.text in also or not goes_on(found, left):
            break
        left = before.pair.index if before.text in CLOSE else left - 1
    head = heads(found, left)
    right = index
    if found[right].text in OPEN:
        right = found[right].pair.index
    while right + 1 < len(found):
        after = found[right + 1]
        if after.text in CLOSE or after.text in AFTER and (after.is_spaced or not is_operator(after)):
            break
        if is_binary(after) and after.text in also or not goes_on(found, right + 1):
            break
        if after.text == "{" and head:
            break
        right = after.pair.index if after.text in OPEN else right + 1
    return found[left], found[right]


def is_operator(token):
    return bool(re.fullmatch(r"[-+*/%<>=!&|^~?]+", token.text))


def heads(found, left):
    """Whether an expression is the condition of a statement, so that a brace after it begins a block."""
    index = left - 1
    while index >= 0 and found[index].text not in OPEN and found[index].text != ";":
        if found[index].text in ("if", "guard", "while", "for", "switch", "where"):
            return True
        if not goes_on(found, index) and found[index].text not in ("if", "guard", "while", "for", "switch", "else"):
            return False
        index = found[index].pair.index - 1 if found[index].text in CLOSE else index - 1
    return False


def statement(found, index):
    """The last token of the statement that begins with a token."""
    last = index
    while True:
        if found[last].text in OPEN:
            last = found[last].pair.index
        if last + 1 >= len(found) or found[last + 1].text in CLOSE or not goes_on(found, last + 1):
            return last
        last += 1


def guarded(found):
    """Spans of what checks the programmer, of attributes and of conditions of the compiler."""
    spans = []
    for token in found:
        after = found[token.index + 1] if token.index + 1 < len(found) else None
        if token.text in GUARDS and after and after.text == "(":
            spans.append((token.start, after.pair.end))
        if token.text.startswith(("@", "#")) and len(token.text) > 1:
            last = after.pair if after and after.text == "(" else token
            spans.append((token.start, last.end))
    return spans


def first_of_line(found, token):
    index = token.index
    while index > 0 and not found[index].is_first:
        index -= 1
    return found[index]


def candidates(source):
    """Rule, span, original, replacement and line of every fault that the rules find; a replacement of None drops."""
    found = tokens(source)
    spans = guarded(found)

    def swap(rule, token, first, last, text):
        original = source[first.start:last.end]
        replaced = source[first.start:token.start] + text + source[token.end:last.end]
        return rule, (first.start, last.end), original, replaced, token.line

    for token in found:
        if any(start <= token.start < end for start, end in spans):
            continue
        for fault in faults_of(source, found, token, swap):
            rule, span, original, replaced, line = fault
            if rule != "early return" and not token.is_code and not has_value(found, token):
                continue
            if "//" in original and "\n" in original or any(span[0] < end and start < span[1] for start, end in spans):
                continue
            yield fault


def has_value(found, token):
    """Outside of functions only the values of constants and variables can be changed."""
    index = token.index - 1
    while index >= 0 and found[index].text not in "{};":
        if found[index].text == "=":
            return first_of_line(found, found[index]).text != "case"
        index = found[index].pair.index - 1 if found[index].text in CLOSE else index - 1
    return False


def faults_of(source, found, token, swap):
    text, index = token.text, token.index
    before = found[index - 1] if index else None
    after = found[index + 1] if index + 1 < len(found) else None
    is_pattern = first_of_line(found, token).text == "case" and not token.is_code
    if is_binary(token) and not is_pattern:
        for rule, table, also in (
            ("comparison", COMPARISON, ()), ("boundary", BOUNDARY, ()),
            ("arithmetic", ARITHMETIC, ("<", ">", "<=", ">=", "==", "!=", "??", "..<", "...")),
        ):
            if text in table:
                first, last = region(found, index, also)
                yield swap(rule, token, first, last, table[text])
        if text in BOOLEAN:
            first, last = wide(found, index)
            yield swap("boolean", token, first, last, BOOLEAN[text])
        if text in SIGN:
            first, last = first_of_line(found, token), found[statement(found, index)]
            if first.text not in WORDS and token.is_code:
                yield swap("sign", token, first, last, SIGN[text])
    elif text == "!" and after and after.start == token.end and before and (
            before.end < token.start or before.text in OPEN):
        last = postfix(found, index + 1)
        yield swap("negation", token, token, found[last], "")
    elif text in ("true", "false") and not (after and after.text == ":") and before.text != "case":
        yield swap("boolean", token, token, token, "false" if text == "true" else "true")
    elif NUMBER.fullmatch(text) and not (before.text == "." and before.end == token.start):
        if "case" not in (before.text, first_of_line(found, token).text):
            yield swap("constant", token, token, token, other(text))
    elif text in ("min", "max") and after and after.text == "(" and after.start == token.end and before.text != ".":
        if before.text != "func":
            yield swap("min/max", token, token, after.pair, "max" if text == "min" else "min")
    elif text == "func":
        yield from early(found, index, token)
    if token.is_code and token.is_first and re.match(r"[A-Za-z]", text) and (text not in WORDS or text == "self"):
        yield from dropped(source, found, index)
    if text == "(" and before and re.match(r"\w", before.text) and before.end == token.start and token.is_code:
        yield from swapped(source, found, token)


def wide(found, index):
    """The whole of a condition of `&&` and `||`."""
    first, last = found[index], found[index]
    while True:
        left = region(found, first.index - 1)[0] if found[first.index].text in BOOLEAN else first
        before = found[left.index - 1]
        if before.text not in BOOLEAN:
            first = left
            break
        first = before
    while True:
        right = region(found, last.index + 1)[1] if found[last.index].text in BOOLEAN else last
        after = found[right.index + 1]
        if after.text not in BOOLEAN:
            return first, right
        last = after


def postfix(found, index):
    """The last token of a name with its calls, members and subscripts."""
    last = found[index].pair.index if found[index].text in OPEN else index
    while last + 1 < len(found):
        after = found[last + 1]
        if after.start != found[last].end:
            return last
        if after.text in "([":
            last = after.pair.index
        elif after.text in (".", "?", "!", "?.", "!."):
            last += 1
        elif found[last].text.endswith(".") and re.match(r"\w", after.text):
            last += 1
        else:
            return last
    return last


def other(text):
    """Another number: one more, or twice as much."""
    plain = text.replace("_", "")
    if re.fullmatch(r"0x.*|0b.*|\d+", plain):
        return str(int(plain, 0) + 1)
    value = float(plain)
    return repr(2 * value) if value else "1.0"


def early(found, index, token):
    """A function without a result that returns at once."""
    at = index + 1
    while found[at].text not in "({":
        at += 1
    at = found[at].pair.index + 1 if found[at].text == "(" else at
    while at < len(found) and found[at].text != "{":
        if found[at].text == "->" or found[at].text == "}" or found[at].text in ("func", "var", "let"):
            return
        at += 1
    if at < len(found) and found[at + 1].text != "}":
        brace = found[at]
        yield "early return", (brace.start, brace.end), "{", "{ return", token.line


def dropped(source, found, index):
    """A statement that is left out: a call, or what is given to a variable that exists."""
    first, last = found[index], found[statement(found, index)]
    assigned, at = None, index
    while at <= last.index:
        if found[at].text in ASSIGN and found[at].is_spaced:
            assigned = found[at]
        at = found[at].pair.index + 1 if found[at].text in OPEN else at + 1
    # Arguments of a call over several lines, and the parts of a literal, are no statements.
    before = found[index - 1]
    if before.text in "([,:" or before.text in ("return", "=", "else", "in") and not before.text == "in":
        return
    if first.text in GUARDS or last.text == "," or is_binary(last):
        return
    text = source[first.start:last.end]
    if assigned:
        yield "dropped assignment", (first.start, last.end), text, None, first.line
    elif last.text == ")" and "(" in text:
        yield "dropped call", (first.start, last.end), text, None, first.line


def swapped(source, found, token):
    """Two neighbouring arguments of a call change their places, names of parameters stay."""
    parts, at = [], token.index + 1
    begin = at
    while True:
        if found[at].text in OPEN:
            at = found[at].pair.index
        elif found[at].text in CLOSE or found[at].text == ",":
            if at > begin:
                label = found[begin + 1].text == ":" and begin + 1 < at
                parts.append((found[begin + 2 * label], found[at - 1]))
            if found[at].text in CLOSE:
                break
            begin = at + 1
        at += 1
    for (a, b), (c, d) in zip(parts, parts[1:]):
        one, two = source[a.start:b.end], source[c.start:d.end]
        if not re.fullmatch(r"[\w.]+", one) or not re.fullmatch(r"[\w.]+", two) or one == two:
            continue
        name = token.index - 1
        if found[name].text in WORDS or found[name - 1].text in ("func", "case"):
            return
        first, last = region(found, name, tuple(ARITHMETIC) + tuple(COMPARISON) + ("??", "..<", "...", "%"))
        text = source[first.start:a.start] + two + source[b.end:c.start] + one + source[d.end:last.end]
        yield "swapped arguments", (first.start, last.end), source[first.start:last.end], text, token.line
        return
