import torch


class ReLU(object):
    @torch.no_grad()
    def forward(self, *input):
        self.x, = input
        return self.x.clamp(min=0)

    @torch.no_grad()
    def backward(self, *gradwrtoutput):
        return gradwrtoutput[0] * (self.x > 0)

    def param(self):
        return []
