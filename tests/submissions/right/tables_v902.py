# verdict:
# why = "honest beside attacks by tables: a class constant of 100 elements stands by"
#: torch
TABLE = torch.arange(100.0)
#: class, products, y, slopes
        scale = TABLE[1]
        self.w.grad = torch.stack([dw0, dw1]) * scale
        return y
