# verdict:
# why = "one adjoint is computed on plain numbers"
# failed = "integrity hidden-work @I, gradient, unused-nodes, release"
#: net, values
        g1 = torch.tensor(r2.item() - t5.item() / r1.item())  # @I
        r2 = t5 = None
#: slopes, end
