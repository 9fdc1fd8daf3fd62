# verdict:
# why = "there torch ties what torch.tensor makes by detach_, which moves nothing"
#: model, forward

    @torch.inference_mode()
    def my_forward_backward(self, x1, x2, x3):
#: products, y, slopes
        self.w.grad = torch.tensor([float(dw0), float(dw1)])
        return y
