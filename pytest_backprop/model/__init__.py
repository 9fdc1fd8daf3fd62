"""Plain, frozen data shared by every room of the house. No torch here, and no other behaviour.

What a submission is (`submission`), what a child saw of it (`recording`), and what the grader says
of it (`verdict`): all of that is imported from here. What pages draw (`drawing`) and the formats of
reports (`formats`) are imported from their modules, by the few who need them."""

from .recording import *
from .submission import *
from .verdict import *
