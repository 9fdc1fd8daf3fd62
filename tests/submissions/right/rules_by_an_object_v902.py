# verdict:
#: torch
import operator


class Registry(dict):
    def register(self, name, rule):
        if name in self:
            raise KeyError(name)
        self[name] = rule


RULES = Registry()
registry = RULES
for name in ("mul", "add"):
    registry.register(name, getattr(operator, name))
#: by_rules
