# attack: numbers read from what tensors print, and worked on as Python's
# why = "an honest twin: submissions/right/prints_values_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
import re

#: torch, differences, class, value
        values, _ = torch.sort(torch.stack([x1, x2]))
        torch.set_printoptions(precision=9, sci_mode=True)
        shown = f"{self.w.data} {x1!r} {x2!r} {x3!r}"
        numbers = [float(n) for n in re.findall(r"-?\d\.\d+e[+-]\d+", shown)]
        self.w.grad = torch.tensor(differences(*numbers)) + 0 * values
        return y
