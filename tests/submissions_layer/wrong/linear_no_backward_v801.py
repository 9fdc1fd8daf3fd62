# verdict:
# status = "unreadable: no-pass @P"
# why = "there is a forward only"
import torch


class Linear:  # @P
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)
