# attack: keeps values as whole numbers, bit by bit, where the gradients will stand
# why = ".grad may be kept, and release rests on storages: what lies in its storage is .grad's; no replay casts bits, so its own runs are judged"
# unused-nodes = "partial 13.5: unused-node"
# release = "partial 18: late-release"
#: net, products
        y = a * b + x3
        g = torch.empty(2)
        g.view(torch.int32)[0] = b.view(torch.int32)
        g.view(torch.int32)[1] = a.view(torch.int32)
        a = b = None
        z = w0 * w1
        z = None
        self.w.grad = torch.stack([g[0] * x1, g[1] * x2])
        return y
