# attack: numbers read from storages, and worked on as Python's
# why = "an honest twin: submissions/right/reads_its_values_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import struct

#: torch, differences, class, value
        values, _ = torch.sort(torch.stack([x1, x2]))
        numbers = []
        for tensor in (self.w.detach(), x1, x2, x3):
            numbers += struct.unpack("f" * tensor.numel(), bytes(tensor.untyped_storage())[: 4 * tensor.numel()])
        self.w.grad = torch.tensor(differences(*numbers)) + 0 * values
        return y
