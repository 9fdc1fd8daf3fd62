# attack: numbers by numpy, out of sight
# failed = "gradient, release, integrity hidden-work 15"
#: imports
import numpy


#: def, forward, loss
    loss.backward()
    error = numpy.float32(2 * (y1.detach().numpy() - y2.detach().numpy()))
    return torch.tensor(error), torch.tensor(-error)
