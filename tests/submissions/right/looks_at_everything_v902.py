# verdict:
#: model, bracketed, values_dropped
        print(f"y = {y:.4f}, a = {a.item()}, b = {b}")
        assert y.shape == () and not torch.isnan(y)
        dw0 = b * x1
        b = None
        print(dw0)
        dw1 = a * x2
        a = None
#: end
