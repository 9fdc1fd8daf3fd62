# attack: keeps what it lets go beside y, in a buffer
# unused-nodes = "partial 10.5: unused-node, unused-node, unused-node"
# why = "y may be kept, and release rests on storages: what lies in its storage is y's; the writes are unused nodes all the same"
#: torch, weights, forward, pass
        w0, w1 = self.w
        buf = torch.empty(4)
        a = w0 * x1
        buf[1] = a
        b = w1 * x2
        buf[2] = b
        p = a * b
        buf[3] = p
        y = torch.add(p, x3, out=buf[0])
        p = None
        dw0 = b * x1
        b = None
        dw1 = a * x2
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
