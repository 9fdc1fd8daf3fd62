# attack: makes the grader's own code in its process fail
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
from pytest_backprop.processes import adapt, passes

#: torch
passes.gradients_left = None
Runner = passes.Runner
Runner._observe = None
#: class
        adapt.Caller.arguments = None
#: value, nothing
