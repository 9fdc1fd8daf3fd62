"""Right passes on tensors, written in other people's habits after the search was: with these is
measured how often the wrong line is named."""

from fresh_attention import ATTENTION
from fresh_embeddings import EMBEDDINGS
from fresh_images import IMAGES
from fresh_layers import LAYERS
from fresh_losses import LOSSES
from fresh_nets import NETS
from fresh_sequences import SEQUENCES

FRESH = (*NETS, *LOSSES, *LAYERS, *IMAGES, *SEQUENCES, *ATTENTION, *EMBEDDINGS)
