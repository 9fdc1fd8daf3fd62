# verdict:
# why = "what is imported to draw need not be there: nothing of it is used"
import torch.utils.no_such_tensorboard
import no_such_torchviz.colors
import no_such_seaborn as sns
from no_such_plots import *
from no_such_torchviz import make_dot
import torch
from torch import nn
#: weights, forward

    def draw(self, x1, x2, x3):
        plot(sns.color_palette())
        no_such_torchviz.colors.show(make_dot(self(x1, x2, x3)))
#: pass, honest
