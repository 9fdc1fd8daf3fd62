import torch


def mse_loss(y, y_hat):
    """
    Return:
        J: scalar of loss
        dJdy_hat: The gradient tensor of shape (batch_size, linear_2_out_features)
    """
    diff = y_hat - y
    J = (diff ** 2).mean()
    dJdy_hat = 2 * diff / diff.numel()
    return J, dJdy_hat
