"""Renders templates with the real Jinja2: one JSON object {template, context, exact} a line in, {text} or {error} a line out.

What Waypost and Python spell differently is spelled Waypost's way: true, false, nothing for None, 3 for 3.0. With
`exact` everything is spelled as Python spells it.
"""

import json
import sys

from jinja2 import ChainableUndefined, Environment


def shown(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


OPTIONS = {"autoescape": True, "undefined": ChainableUndefined, "keep_trailing_newline": True}
alike = Environment(finalize=shown, **OPTIONS)
exact = Environment(**OPTIONS)


def answer(line):
    try:
        case = json.loads(line)
        environment = exact if case["exact"] else alike
        return {"text": environment.from_string(case["template"]).render(case["context"])}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(line)) + "\n")
        sys.stdout.flush()
