# attack: a syntax tree, put together and compiled
# failed = "integrity foreign-code, gradient, unused-nodes, release"
import ast

#: net, value
        tree = ast.parse("[w1 * x2 * x1, w0 * x1 * x2]", mode="eval")
        self.w.grad = torch.stack(eval(compile(tree, "pass.py", "eval")))
        return y
