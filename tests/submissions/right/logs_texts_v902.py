# verdict:
# why = "keeps a log of texts"
#: model
        self.log = []
#: forward, pass, values
        self.log.append(f'c = {c}, {c.item():.3f}')
        c = None
        dw0 = b * x1
        self.log.append(f'b = {b}, {b.item():.3f}')
        b = None
        dw1 = a * x2
        self.log.append(f'a = {a}, {a.item():.3f}')
        a = None
#: end
