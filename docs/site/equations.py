"""Equations of the catalogue, which are plain text, as HTML: Greek letters, powers, indices, roots."""
import html
import re

GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "eta": "η", "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ",
         "nu": "ν", "xi": "ξ", "pi": "π", "sigma": "σ", "chi": "χ", "psi": "ψ", "zeta": "ζ", "Delta": "Δ"}
DELTA_DOT = '<span class="dot"><i>δ</i></span>'  # a combining dot would lie on the letter
TOKEN = re.compile(r"delta_dot(?:_0)?|DeltaR|[A-Za-z]+(?:_[A-Za-z0-9]+)?|\d+(?:\.\d+)?(?:e-?\d+)?|\^|.", flags=re.S)


def rendered(text):
    """The text as one line of HTML, without characters that Markdown reads."""
    shown = _all(TOKEN.findall(text))
    return f'<span class="equation">{shown}</span>'


def _all(tokens):
    parts, at = [], 0
    while at < len(tokens):
        token = tokens[at]
        if token == "^" and at + 1 < len(tokens):
            inside, at = _group(tokens, at + 1)
            parts.append(f"<sup>{_all(inside)}</sup>")
        elif token == "sqrt" and at + 1 < len(tokens) and tokens[at + 1] == "(":
            inside, at = _group(tokens, at + 1)
            parts.append(f'√<span class="root">{_all(inside)}</span>')
        else:
            parts.append(_one(token))
            at += 1
    return "".join(parts)


def _group(tokens, at):
    """What a power or a root holds, without its parentheses, and the place behind it."""
    if tokens[at] != "(":
        end = at + (2 if tokens[at] == "-" else 1)
        return tokens[at:end], end
    depth = 0
    for end in range(at, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[end], 0)
        if depth == 0:
            return tokens[at + 1:end], end + 1
    return tokens[at:], len(tokens)


def _one(token):
    if token == "delta_dot":
        return DELTA_DOT
    if token == "delta_dot_0":
        return f"{DELTA_DOT}<sub>0</sub>"
    if token == "DeltaR":
        return "Δ<i>R</i>"
    if token == "-":
        return "−"
    if not token[0].isalpha():
        return html.escape(token).replace("*", "&#42;").replace("_", "&#95;")
    base, _, index = token.partition("_")
    shown = GREEK.get(base, base)
    if len(shown) == 1:
        shown = f"<i>{shown}</i>"
    return f"{shown}<sub>{GREEK.get(index, index)}</sub>" if index else shown
