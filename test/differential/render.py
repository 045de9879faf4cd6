"""Renders templates with the real Jinja2: one JSON object {template, context} a line in, one JSON object a line out.

`alike` has what Waypost and Python spell differently spelled Waypost's way: true, false, nothing for None, 3 for 3.0.
`exact` has everything spelled as Python spells it. Where Python raises an error, there is `error` instead.
"""

import json
import sys

from jinja2 import ChainableUndefined, Environment, pass_context

#: Key in a template's data that selects Waypost's spelling.
SPELLING = "spelled as by Waypost"


@pass_context  # ... so that Jinja2 does not evaluate constants when it compiles a template.
def shown(context, value):
    if SPELLING not in context:
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


environment = Environment(
    autoescape=True,
    undefined=ChainableUndefined,
    keep_trailing_newline=True,
    finalize=shown,
)


def answer(line):
    try:
        case = json.loads(line)
        template = environment.from_string(case["template"])
        data = case["context"]
        return {"alike": template.render(data | {SPELLING: True}), "exact": template.render(data)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(line)) + "\n")
        sys.stdout.flush()
