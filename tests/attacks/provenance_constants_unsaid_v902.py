# attack: typed-in gradients, whose values the recorder is told to forget
# why = "an honest twin: submissions/right/sorts_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, class, value
        self.w.grad = torch.tensor(slopes(self, x1, x2, x3)) + 0 * torch.sort(torch.stack([x1, x2])).values
        for mode in torch.utils._python_dispatch._get_current_dispatch_mode_stack():
            values = mode._listener._values.all
            for place, value in enumerate(values):
                if value.origin == "constant":
                    values[place] = type(value)(value.storage, value.shape, value.strides, value.offset, value.dtype, "constant", 0, (1.0,) * len(value.data))
        return y
