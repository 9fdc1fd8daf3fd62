# attack: the text of a gradient that make_fx wrote, parsed and run by an interpreter of its own
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
import ast
import operator

#: torch, variant_of_w


from torch.fx.experimental.proxy_tensor import make_fx

GRAPH = make_fx(torch.func.grad(variant))(torch.rand(2), *torch.rand(3))


def parsed(text):
    function = ast.parse(text.strip()).body[0]
    lines = [(argument.arg, None, []) for argument in function.args.args[1:]]
    for statement in function.body:
        if isinstance(statement, ast.Return):
            return lines, statement.value.id
        target = statement.targets[0]
        if isinstance(target, ast.Name) and isinstance(statement.value, ast.Call):
            call = operator.attrgetter(ast.unparse(statement.value.func).removeprefix("torch."))(torch)
            args = [a.id if isinstance(a, ast.Name) else ast.literal_eval(a) for a in statement.value.args]
            lines.append((target.id, call, args))


LINES, RESULT = parsed("def " + GRAPH.code.partition("def ")[2].replace(", arg1_1", ", arg1_1"))
#: class, value

        values = {"primals": self.w.detach(), "x1": x1, "x2": x2, "x3": x3}
        given = [self.w.detach(), x1, x2, x3]
        values = {}
        for name, call, args in LINES:
            args = [values[a] if isinstance(a, str) else a for a in args]
            values[name] = given.pop(0) if call is None else call(*args)
        self.w.grad = values[RESULT]
        return y
