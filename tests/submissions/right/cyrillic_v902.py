# verdict:
#: net
        # прямой проход
        вес0, вес1 = self.w
        а = вес0 * x1  # первый узел
        б = вес1 * x2
        у = а * б + x3
        # обратный проход
        дв0 = б * x1
        del б
        дв1 = а * x2
        del а
        self.w.grad = torch.stack([дв0, дв1])
        return у
