"""The tape itself, `reset_tape` and `grad`: how entries are kept, walked backwards, and adjoints added up."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tape_styles import GRAPH, MANY_OUTPUTS, Style

HOLDERS = {
    "a list": "gradient_tape", "a list that is rebound": "gradient_tape", "an object": "gradient_tape",
    "a class attribute": "Variable.tape", "a deque": "gradient_tape", "a list in a dict": "state['tape']",
    "no tape": "", "three lists": "",
}  # fmt: skip


class Walk:
    """The text around operators. `fault` is what is wrong with it, if anything."""

    def __init__(self, style: Style, random: Random, fault: str) -> None:
        self.style, self.random, self.fault = style, random, fault
        self.holder = HOLDERS[style.tape]
        self.many = style.recording in MANY_OUTPUTS
        self.tensors = style.working == "adjoints are tensors"

    # -- keys ----------------------------------------------------------------------------------

    def elem(self, variable: str) -> str:
        """What an entry holds of a Variable."""
        return f"{variable}.name" if self._named else variable

    @property
    def _named(self) -> bool:
        return self.style.keys.startswith("names") and self.style.recording not in (
            "operation classes", "table of rules", "decorated functions", "generators", GRAPH,
        )  # fmt: skip

    def key(self, elem: str) -> str:
        """Of the map, for what an entry holds."""
        return elem if self._named else self.key_of(elem)

    def key_of(self, variable: str) -> str:
        """Of the map, for a Variable."""
        if self.style.keys.startswith("names"):
            return f"{variable}.name"
        return variable if self.style.keys == "keyed by Variables" else f"id({variable})"

    # -- the tape ------------------------------------------------------------------------------

    def tape(self) -> list[str]:
        """What holds the entries."""
        tape = self.style.tape
        found = []
        if tape in ("a list", "a list that is rebound"):
            found = ["gradient_tape = []"]
        elif tape == "a deque":
            found = ["gradient_tape = collections.deque()"]
        elif tape == "a list in a dict":
            found = ["state = {'tape': [], 'runs': 0}"]
        elif tape == "three lists":
            found = ["INPUTS, OUTPUTS, PROPAGATES = [], [], []"]
        elif tape == "an object":
            found = [
                "class Tape:\n    def __init__(self):\n        self.entries = []\n\n    def append(self, entry):\n"
                "        self.entries.append(entry)\n\n    def __len__(self):\n        return len(self.entries)\n\n"
                "    def __iter__(self):\n        return iter(self.entries)\n\n    def clear(self):\n"
                "        self.entries = []",
                "gradient_tape = Tape()",
            ]  # fmt: skip
        if self.fault in ("history kept", "last map kept"):
            found.append("history = []")
        if self.fault == "map kept between calls":
            found.append("dL_d = {}")
        return found

    def machinery(self) -> list[str]:
        """What operators of the recording have in common."""
        append = f"{self.holder}.append"
        if self.style.recording == "operation classes":
            return [f"class Operation:\n    def record(self):\n        {append}(self)"]
        if self.style.recording == "generators":
            return [
                "def run(rule, *given):\n    steps = rule(*given)\n    r = next(steps)\n"
                f"    {append}(([each for each in given if isinstance(each, Variable)], r, steps))\n    return r"
            ]
        if self.style.recording == "decorated functions":
            return [
                "def operator(function):\n    @functools.wraps(function)\n    def wrapped(*given):\n"
                "        value, inputs, rule = function(*given)\n        r = Variable(value)\n"
                f"        {append}((inputs, r, functools.partial(rule, r)))\n        return r\n\n"
                "    return wrapped"
            ]
        return []

    def reset(self) -> str:
        """`reset_tape`."""
        tape = self.style.tape
        body = {
            "a list": self.random.choice(("gradient_tape.clear()", "del gradient_tape[:]", "gradient_tape[:] = []")),
            "a list that is rebound": "global gradient_tape\n    gradient_tape = []",
            "an object": "gradient_tape.clear()", "a deque": "gradient_tape.clear()",
            "a class attribute": self.random.choice(("Variable.tape.clear()", "Variable.tape = []")),
            "a list in a dict": self.random.choice(("state['tape'] = []", "state['tape'].clear()")),
            "three lists": "for each in (INPUTS, OUTPUTS, PROPAGATES):\n        each.clear()",
            "no tape": "pass",
        }[tape]  # fmt: skip
        if self.style.keys == "names by a counter":
            body = f"global _name\n    _name = 0\n    {body}"
        if self.fault == "reset does nothing":
            body = "pass"
        elif self.fault == "reset of a local" and self.holder == "gradient_tape":
            body = "gradient_tape = []"
        elif self.fault == "history kept":
            body = f"history.append(list({self._entries()}))\n    {body}"
        elif self.fault == "one entry left" and tape in ("a list", "a list that is rebound"):
            body = "del gradient_tape[1:]"
        lines = sorted(body.split("\n"), key=lambda line: "global " not in line)  # these come first
        return "\n    ".join(["def reset_tape():", *map(str.strip, lines)]).replace(
            ":\n    each.clear()", ":\n        each.clear()"
        )

    def _entries(self) -> str:
        return {
            "an object": "gradient_tape.entries", "a deque": "list(gradient_tape)",
            "three lists": "list(zip(INPUTS, OUTPUTS, PROPAGATES))",
        }.get(self.style.tape, self.holder)  # fmt: skip

    # -- entries -------------------------------------------------------------------------------

    def _of_entry(self) -> tuple[str, str, str]:
        """Its inputs, its output or outputs, and what propagates `{}`."""
        recording = self.style.recording
        if recording in ("named tuples", "dataclasses", "slotted objects"):
            return "entry.inputs", "entry.outputs", "entry.propagate({})"
        if recording == "dicts":
            return "entry['inputs']", "entry['outputs']", "entry['propagate']({})"
        if recording == "operation classes":
            return "entry.inputs", "entry.result", "entry.propagate({})"
        if recording == GRAPH:
            return "entry.inputs", "entry", "entry.propagate({})"
        if recording == "table of rules":
            return (
                "entry[1]",
                "entry[2]",
                "RULES[entry[0]]({}, *(entry[1] + [None])[:2], entry[2], entry[3])",
            )
        if recording == "generators":
            return "entry[0]", "entry[1]", "entry[2].send({})"
        return "entry[0]", "entry[1]", "entry[2]({})"

    # -- grad ----------------------------------------------------------------------------------

    def grad(self) -> str:
        """`grad`."""
        hints = self.style.manner == "type hints"
        head = "def grad(L: Variable, desired_results: List[Variable]) -> List[Optional[Variable]]:"
        lines = [head if hints else "def grad(L, desired_results):"]
        if self.style.manner == "docstrings and tests":
            lines.append('    """The gradients of L."""')
        inner = [*self._start(), *self._walked(self._step()), *self._result()]
        return "\n".join([*lines, *(f"    {line}" if line else "" for line in inner)])

    def _seed(self) -> str:
        number = {"seed is two": "torch.full((), 2.0)", "seed is L": "L.value"}.get(
            self.fault, "torch.ones(())"
        )
        return number if self.tensors else f"Variable({number})"

    def _start(self) -> list[str]:
        key, seed = self.key_of("L"), self._seed()
        adjoints = self.style.adjoints
        if self.fault == "map kept between calls":
            return [f"dL_d[{key}] = {seed}"]
        if adjoints == "lists of contributions":
            return [
                "def total(parts):", "    if not parts:", "        return None", "    found = parts[0]",
                "    for part in parts[1:]:", f"        found = {self._plus('found', 'part')}", "    return found",
                "", "dL_d = collections.defaultdict(list)", f"dL_d[{key}].append({seed})",
            ]  # fmt: skip
        if adjoints == "pairs in a list":
            return ["def find(key):", "    return next((each for known, each in dL_d if known == key), None)", "",
                    f"dL_d = [({key}, {seed})]"]  # fmt: skip
        return [f"dL_d = {{{key}: {seed}}}"]

    def _found(self, key: str) -> str:
        return {
            "asks by in": f"dL_d[{key}] if {key} in dL_d else None",
            "lists of contributions": f"total(dL_d.get({key}))",
            "pairs in a list": f"find({key})",
        }.get(self.style.adjoints, f"dL_d.get({key})")

    def _plus(self, old: str, new: str) -> str:
        if self.fault == "added twice":
            old = new
        one, other = (new, old) if self.style.adding == "old after new" else (old, new)
        if self.style.working == "propagates values":
            return f"Variable({one}.value + {other}.value)"
        return f"{one} + {other}"

    def _added(self, key: str, part: str) -> list[str]:
        """Puts a part into the map."""
        adjoints, plus = self.style.adjoints, self._plus(f"dL_d[{key}]", part)
        if self.fault == "overwrites":
            return [
                f"dL_d[{key}] = [{part}]"
                if adjoints == "lists of contributions"
                else f"dL_d[{key}] = {part}"
            ]
        if self.fault == "keeps the first":
            return [f"if {key} not in dL_d:", f"    dL_d[{key}] = {part}"]
        if self.fault == "adds in place":
            value = "" if self.tensors else ".value"
            return [f"if {key} in dL_d:", f"    dL_d[{key}]{value}.add_({part}{value})", "else:",
                    f"    dL_d[{key}] = {part}"]  # fmt: skip
        if adjoints == "lists of contributions":
            return [f"dL_d[{key}].append({part})"]
        if adjoints == "pairs in a list":
            return [
                "for place, (known, old) in enumerate(dL_d):", f"    if known == {key}:",
                f"        dL_d[place] = (known, {self._plus('old', part)})", "        break", "else:",
                f"    dL_d.append(({key}, {part}))",
            ]  # fmt: skip
        if adjoints in ("get", "pop and put"):
            call = "get" if adjoints == "get" else "pop"
            rest = f"({key})" if adjoints == "get" else f"({key}, None)"
            return [f"old = dL_d.{call}{rest}",
                    f"dL_d[{key}] = {part} if old is None else {self._plus('old', part)}"]  # fmt: skip
        if self.style.adding == "try":
            return [
                "try:",
                f"    dL_d[{key}] = {plus}",
                "except KeyError:",
                f"    dL_d[{key}] = {part}",
            ]
        return [
            f"if {key} in dL_d:",
            f"    dL_d[{key}] = {plus}",
            "else:",
            f"    dL_d[{key}] = {part}",
        ]

    def _zeros(self, like: str) -> str:
        made = f"torch.zeros_like({like}.value)"
        return made if self.tensors else f"Variable({made})"

    def _step(self) -> list[str]:
        """What is done for an entry; `SKIP` stands where it is passed over."""
        inputs, outputs, called = self._of_entry()
        lines = []
        if self.many:
            # "each" is what the entry holds
            lines.append(f"above = [{self._found(self.key('each'))} for each in {outputs}]")
            asked, given = "all(each is None for each in above)", "above"
        else:
            lines.append(f"above = {self._found(self.key(outputs))}")
            asked, given = "above is None", "above"
        if self.fault == "does not skip":
            zero = "torch.zeros(())" if self.tensors else "Variable(torch.zeros(()))"
            lines.append(f"above = [{zero} if each is None else each for each in above]" if self.many
                         else f"above = {zero} if above is None else above")  # fmt: skip
        elif self.fault == "stops at None":
            lines += [f"if {asked}:", "    STOP"]
        else:
            lines += [f"if {asked}:", "    SKIP"]
        if self.fault == "first input alone":
            inputs = f"{inputs}[:1]"
        lines.append(f"for elem, part in zip({inputs}, {called.format(given)}):")
        lines += ["    if part is None:", "        continue"]
        return [*lines, *(f"    {line}" for line in self._added(self.key("elem"), "part"))]

    def _walked(self, step: Sequence[str]) -> list[str]:
        entries, walk = self._entries(), self.style.walk
        if self.style.recording == GRAPH:
            return self._graph_walk(step)
        skipped = [line.replace("SKIP", "continue").replace("STOP", "break") for line in step]
        body = [f"    {line}" for line in skipped]
        if self.fault == "forward order":
            return [f"for entry in list({entries}):", *body]
        if self.fault == "last entry left out":
            return [f"for entry in list({entries})[-2::-1]:", *body]
        if self.fault == "first entry left out":
            return [f"for entry in list({entries})[:0:-1]:", *body]
        if self.fault == "pops the tape" and self.style.tape in (
            "a list",
            "a list that is rebound",
        ):
            return ["while gradient_tape:", "    entry = gradient_tape.pop()", *body]
        if walk == "slice backwards":
            return [f"for entry in {entries}[::-1]:", *body]
        if walk == "by index":
            return [f"entries = list({entries})", "for at in range(len(entries) - 1, -1, -1):", "    entry = entries[at]",
                    *body]  # fmt: skip
        if walk == "pops a copy":
            return [
                f"entries = list({entries})",
                "while entries:",
                "    entry = entries.pop()",
                *body,
            ]
        if walk == "recursion":
            inner = [
                line.replace("SKIP", "return walk(at - 1)").replace("STOP", "return None")
                for line in step
            ]
            return [f"entries = list({entries})", "", "def walk(at):", "    if at < 0:", "        return None",
                    "    entry = entries[at]", *(f"    {line}" for line in inner), "    return walk(at - 1)", "",
                    "walk(len(entries) - 1)"]  # fmt: skip
        return [f"for entry in reversed({entries}):", *body]

    def _graph_walk(self, step: Sequence[str]) -> list[str]:
        body = [f"    {line.replace('SKIP', 'continue').replace('STOP', 'break')}" for line in step]
        if self.style.walk == "heap":
            return [
                "waiting, seen = [(-L.order, L)], {id(L)}", "while waiting:", "    entry = heapq.heappop(waiting)[1]",
                "    if entry.propagate is None:", "        continue",
                "    for each in entry.inputs:", "        if id(each) not in seen:", "            seen.add(id(each))",
                "            heapq.heappush(waiting, (-each.order, each))", *body,
            ]  # fmt: skip
        if self.style.walk == "counts uses":
            return [
                "uses, stack, seen = collections.Counter(), [L], {id(L)}", "while stack:",
                "    for each in stack.pop().inputs:", "        uses[id(each)] += 1", "        if id(each) not in seen:",
                "            seen.add(id(each))", "            stack.append(each)", "ready = [L]", "while ready:",
                "    entry = ready.pop()", "    for each in entry.inputs:", "        uses[id(each)] -= 1",
                "        if uses[id(each)] == 0:", "            ready.append(each)", "    if entry.propagate is None:",
                "        continue", *body,
            ]  # fmt: skip
        reverse = "order" if self.fault == "forward order" else "reversed(order)"
        return [
            "order, seen = [], set()", "", "def visit(variable):", "    if id(variable) in seen:", "        return",
            "    seen.add(id(variable))", "    for each in variable.inputs:", "        visit(each)",
            "    order.append(variable)", "", "visit(L)", f"for entry in {reverse}:",
            "    if entry.propagate is None:", "        continue", *body,
        ]  # fmt: skip

    def _result(self) -> list[str]:
        found = self._found(self.key_of("each"))
        lines = []
        if self.fault == "clears the tape":
            lines.append("reset_tape()")
        if self.fault == "last map kept":
            lines += ["history.clear()", "history.append(dL_d)"]
        if self.style.manner == "prints":
            lines.append("print('grad of', len(desired_results))")
        if self.fault == "returns a map":
            return [*lines, "return dL_d"]
        if self.fault == "zeros for None":
            lines.append(f"found = [{found} for each in desired_results]")
            return [*lines, f"return [{self._wrapped('one')} if one is not None else Variable(torch.zeros_like("
                    "each.value)) for one, each in zip(found, desired_results)]"]  # fmt: skip
        if self.fault == "returns tensors":
            lines.append(f"found = [{found} for each in desired_results]")
            return [
                *lines,
                f"return [None if one is None else one{'' if self.tensors else '.value'} for one in found]",
            ]
        if not self.tensors:
            return [*lines, f"return [{found} for each in desired_results]"]
        lines.append(f"found = [{found} for each in desired_results]")
        return [*lines, "return [None if one is None else Variable(one) for one in found]"]

    def _wrapped(self, name: str) -> str:
        return f"Variable({name})" if self.tensors else name
