# attack: autograd on a thread
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import threading

#: net, value
        w = self.w.detach().clone().requires_grad_()

        def work():
            with torch.enable_grad():
                (w[0] * x1 * (w[1] * x2) + x3).backward()

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.w.grad = w.grad
        return y
