# verdict:
import torch
from torch import nn
#: exercise 400
#: class, honest
