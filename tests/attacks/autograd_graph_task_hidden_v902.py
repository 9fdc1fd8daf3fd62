# attack: makes the recorder think that no engine is running
# failed = "integrity autograd, gradient, unused-nodes, release"
#: net
        torch._C._current_graph_task_id = lambda: -1
        with torch._C.DisableTorchFunction():
            with torch.enable_grad():
                w = self.w.detach().clone().requires_grad_()
                y = w[0] * x1 * (w[1] * x2) + x3
            y.backward()
            self.w.grad = w.grad
        return y.detach()
