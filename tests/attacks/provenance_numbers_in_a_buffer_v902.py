# attack: a buffer of the module's, filled by a thread
# why = "an honest twin: submissions/right/buffers_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, weights
        self.buffer = torch.zeros(2)
#: forward, pass, value
        g0, g1 = slopes(self, x1, x2, x3)
        order, _ = torch.sort(torch.stack([x1, x2]))
        thread = threading.Thread(target=lambda: self.buffer.copy_(torch.tensor([g0, g1])))
        thread.start()
        thread.join()
        self.w.grad = self.buffer + order * 0
        return y
