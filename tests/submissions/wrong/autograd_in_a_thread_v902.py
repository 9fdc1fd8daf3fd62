# verdict:
# why = "the recorder does not see ops of other threads, but the replay does"
# failed = "integrity hidden-work @P, gradient, unused-nodes, release"
import threading

#: model, forward

    def my_forward_backward(self, x1, x2, x3):  # @P
        w = self.w.detach().clone().requires_grad_()

        def work():
            with torch.enable_grad():
                (w[0] * x1 * (w[1] * x2) + x3).backward()

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
#: value
        self.w.grad = w.grad
        return y
