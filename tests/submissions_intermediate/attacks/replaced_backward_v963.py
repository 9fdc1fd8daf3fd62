# attack: torch.Tensor.backward is replaced
# failed = "gradient no-gradient 19 prediction, gradient no-gradient 19 residual, release"
#: imports
def fake(tensor, *args, **kwargs):
    return None


#: def, forward
    torch.Tensor.backward = fake
#: loss, retain, dict
