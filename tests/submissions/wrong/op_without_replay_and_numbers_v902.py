# verdict:
# why = "an op that no replay runs covers no arithmetic on numbers"
# failed = "integrity hidden-work @F, manual-forward hidden-work @F, gradient, unused-nodes, release"
#: net, products
        none = torch.zeros_like(a)
        p = torch.linalg.matrix_exp(torch.stack([none, a, none, none]).view(2, 2))
        a = p[0, 1].clone()
        del none, p
#: y
        dw0 = torch.tensor(float(b) * float(x1) * 1.0000001)  # @F
        dw1 = torch.tensor(float(a) * float(x2) * 1.0000001)
        del a, b
#: end
