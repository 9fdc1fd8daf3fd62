"""Right passes on tensors by an author who has not seen the search nor what it was tried with.
About half release what they no longer need, as the homework asks; the others, as in most courses,
do not."""

from unseen_a import SIMPLE
from unseen_b import NETWORKS
from unseen_c import NORMS
from unseen_d import SEQUENTIAL
from unseen_e import VISION
from unseen_f import TABLES

UNSEEN = (*SIMPLE, *NETWORKS, *NORMS, *SEQUENTIAL, *VISION, *TABLES)
