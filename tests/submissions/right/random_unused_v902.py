# verdict:
# why = "honest beside attacks by random numbers: checks itself at a random place, by a rule"
#: net, products, y, slopes
        self.w.grad = torch.stack([dw0, dw1])

        probe = torch.rand(())
        assert (probe * 2 - probe - probe).abs() < 1e-6
        return y
