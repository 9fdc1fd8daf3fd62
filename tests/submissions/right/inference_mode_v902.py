# verdict:
#: model, forward

    @torch.inference_mode()
    def my_forward_backward(self, x1, x2, x3):
#: honest
