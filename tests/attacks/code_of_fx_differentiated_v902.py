# attack: torch.fx traces forward; rules of its own differentiate that graph
# failed = "integrity transform, gradient, unused-nodes, release"
import operator

#: torch, variant_of_w


GRAPH = torch.fx.symbolic_trace(variant).graph
#: class, value

        values, given = {}, [self.w.detach(), x1, x2, x3]
        for node in GRAPH.nodes:
            args = [values[a] if isinstance(a, torch.fx.Node) else a for a in node.args]
            if node.op == "placeholder":
                values[node] = given.pop(0)
            elif node.op != "output":
                values[node] = node.target(*args)
        adjoints = {node: 0.0 for node in GRAPH.nodes}
        for node in reversed(GRAPH.nodes):
            if node.op == "output":
                adjoints[node.args[0]] = torch.ones(())
            elif node.target is operator.add:
                for part in node.args:
                    adjoints[part] = adjoints[part] + adjoints[node]
            elif node.target is operator.mul:
                a, b = node.args
                adjoints[a] = adjoints[a] + adjoints[node] * values[b]
                adjoints[b] = adjoints[b] + adjoints[node] * values[a]
        slopes = [adjoints[node] for node in GRAPH.nodes if node.target is operator.getitem]
        self.w.grad = torch.stack(slopes)
        return y
