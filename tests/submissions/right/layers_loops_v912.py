# verdict:
# why = "a loop over every element: 6,000 ops at the largest of the sizes"
#: head
        n, d = x.shape
        h, c = self.w2.shape
        dw1, db1 = torch.zeros(d, h), torch.zeros(h)
        dw2, db2 = torch.zeros(h, c), torch.zeros(c)
        loss = torch.zeros(())
        for i in range(n):
            a, e = [], []
            for j in range(h):
                s = self.b1[j]
                for k in range(d):
                    s = s + x[i, k] * self.w1[k, j]
                a.append(torch.relu(s))
                s = None
            for m in range(c):
                o = self.b2[m]
                for j in range(h):
                    o = o + a[j] * self.w2[j, m]
                o = o - y[i, m]
                loss = loss + o ** 2
                e.append(2 * o / n)
                o = None
                db2[m] += e[m]
            for j in range(h):
                for m in range(c):
                    dw2[j, m] += e[m] * a[j]
                on = (a[j] > 0).float()
                a[j] = None
                g = torch.zeros(())
                for m in range(c):
                    g = g + e[m] * self.w2[j, m]
                    if j == h - 1:
                        e[m] = None
                g = g * on
                on = None
                db1[j] += g
                for k in range(d):
                    dw1[k, j] += g * x[i, k]
                g = None
        self.w1.grad, self.b1.grad, self.w2.grad, self.b2.grad = dw1, db1, dw2, db2
        return loss / n
