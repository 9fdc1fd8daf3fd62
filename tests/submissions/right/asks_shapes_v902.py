# verdict:
# why = "looks at shapes of values"
#: net, values
        assert c.shape == () and c.numel() == 1 and c.dim() == 0 and c.size() == torch.Size([])
        c = None
        dw0 = b * x1
        assert b.shape == () and b.numel() == 1 and b.dim() == 0 and b.size() == torch.Size([])
        b = None
        dw1 = a * x2
        assert a.shape == () and a.numel() == 1 and a.dim() == 0 and a.size() == torch.Size([])
        a = None
#: end
