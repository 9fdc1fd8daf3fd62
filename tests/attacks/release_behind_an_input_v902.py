# attack: keeps values behind an input, in its own memory
# failed = "manual-forward hidden-work, integrity hidden-work, gradient, unused-nodes, release"
#: net
        w0, w1 = self.w
        x3.untyped_storage().resize_(64)
        room = x3.as_strided((1, 4), (4, 1), 4)[0]
        room[0] = w0 * x1
        room[1] = w1 * x2
        y = room[0] * room[1] + x3
        dw0 = room[1] * x1
        dw1 = room[0] * x2
        self.w.grad = torch.stack([dw0, dw1])
        return y
