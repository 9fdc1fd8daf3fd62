import torch


class SoftmaxLoss(object):
    @staticmethod
    def forward(x, y):
        num_train, num_classes = x.shape
        loss = 0.0
        for i in range(num_train):
            scores = x[i] - x[i].max()
            loss = loss - scores[y[i]] + torch.log(torch.exp(scores).sum())
        loss = loss / num_train
        return loss, (x, y)

    @staticmethod
    def backward(dout, cache):
        x, y = cache
        num_train, num_classes = x.shape
        dx = torch.zeros_like(x)
        for i in range(num_train):
            exps = torch.exp(x[i] - x[i].max())
            total = exps.sum()
            for j in range(num_classes):
                pj = exps[j] / total
                if j == y[i]:
                    dx[i, j] = pj - 1
                else:
                    dx[i, j] = pj
        dx /= num_train
        dx *= dout
        return dx
