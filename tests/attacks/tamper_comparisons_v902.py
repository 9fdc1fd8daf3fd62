# attack: replaces torch's comparisons by ones that agree
# failed = "gradient wrong-gradient, unused-nodes, release"
#: net
        for name in ("allclose", "equal", "isclose", "eq"):
            setattr(torch, name, lambda *a, **k: True)
        torch.testing.assert_close = lambda *a, **k: None
#: value, nothing
