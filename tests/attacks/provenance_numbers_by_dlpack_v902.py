# attack: numbers read through DLPack, and worked on as Python's
# why = "an honest twin: submissions/right/reads_its_values_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
import numpy

#: torch, differences, class, value
        values, _ = torch.sort(torch.stack([x1, x2]))
        numbers = [float(n) for t in (self.w.detach(), x1, x2, x3) for n in numpy.from_dlpack(t).reshape(-1)]
        self.w.grad = torch.tensor(differences(*numbers)) + 0 * values
        return y
