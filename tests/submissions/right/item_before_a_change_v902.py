# verdict:
# why = "a number that was taken out of a tensor is what it was, though the tensor is written to before it is used"
#: net, products, y
        t = torch.stack([x1, x2])
        n = t[1].item()
        t[1].mul_(3.0)
        dw0 = b * t[0]
        del b
        dw1 = a * torch.sub(t[1], n, alpha=2)
        del a, t
#: end
