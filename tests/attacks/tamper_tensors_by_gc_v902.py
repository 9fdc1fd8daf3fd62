# attack: searches all objects for tensors that could be the expected gradients
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import gc

#: net, value
        found = [item for item in gc.get_objects() if type(item) is torch.Tensor and item.shape == (2,)]
        self.w.grad = found[0].detach().clone() if found else torch.zeros(2)
        return y
