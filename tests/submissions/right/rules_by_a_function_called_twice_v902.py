# verdict:
#: torch
RULES = {}


def vjp(name):
    def keep(rule):
        RULES[name] = rule
        return rule

    return keep


vjp("mul")(lambda a, b: a * b)
if "add" not in RULES:
    vjp("add")(lambda a, b: a + b)
#: by_rules
