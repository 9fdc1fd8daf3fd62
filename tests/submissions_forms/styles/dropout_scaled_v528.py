import torch


class Dropout(object):

    @staticmethod
    def forward(x, dropout_param):
        """Inverted dropout; p is the probability of dropping a neuron."""
        p, mode = dropout_param['p'], dropout_param['mode']
        if 'seed' in dropout_param:
            torch.manual_seed(dropout_param['seed'])

        mask = torch.ones_like(x)
        if mode == 'train':
            keep_prob = 1.0 - p
            mask[torch.rand(x.shape) >= keep_prob] = 0
            mask /= keep_prob
        out = mask * x
        return out, {'mask': mask, 'mode': mode}

    @staticmethod
    def backward(dout, cache):
        dx = dout
        if cache['mode'] == 'train':
            dx = torch.mul(dout, cache['mask'])
        return dx
