# attack: a list that works by autograd when its first item is taken
# why = "an honest twin: submissions/right/returns_a_list_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: net
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3 + 0 * torch.sort(torch.stack([x1, x2])).values.sum()
        self.w.grad = torch.zeros(2)

        class Late(list):
            def __getitem__(late, place):
                net.w.grad = None
                with torch.enable_grad():
                    net.forward(x1, x2, x3).backward()
                return list.__getitem__(late, place)

        net = self
        return Late([y])
