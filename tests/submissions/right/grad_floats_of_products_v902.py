# verdict:
# why = "The products are gone by the time their numbers are used."
#: model, bracketed, values_dropped
        self.w.grad = torch.tensor([float(b * x1), float(a * x2)])
        return y
