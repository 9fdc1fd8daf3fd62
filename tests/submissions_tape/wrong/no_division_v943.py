# verdict:
# failed = "forward raises 18, gradient, none, unused-nodes, release"
# why = "the operator is not in the class"
#: note, minus
