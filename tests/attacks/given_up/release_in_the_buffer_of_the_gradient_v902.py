# attack: keeps what it lets go in a buffer of which .grad is a view
# unused-nodes = "partial 10.5: unused-node, unused-node, unused-node"
# why = ".grad may be kept, and release rests on storages: what lies in its storage is .grad's; the writes are unused nodes all the same"
#: torch, weights, forward, pass
        w0, w1 = self.w
        buf = torch.empty(5)
        a = w0 * x1
        buf[2] = a
        b = w1 * x2
        buf[3] = b
        p = a * b
        buf[4] = p
        y = p + x3
        p = None
        buf[0] = b * x1
        b = None
        buf[1] = a * x2
        a = None
        self.w.grad = buf[:2]
        return y
