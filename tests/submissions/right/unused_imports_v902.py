# verdict:
import matplotlib.pyplot as plt
import numpy as np
import netron
from torch.autograd import grad
#: net, honest
