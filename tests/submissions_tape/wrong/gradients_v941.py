# verdict:
# status = "unreadable: no-function -"
# why = "another name for grad"
#: variable, tape, mul, add, sum, expand
def gradients(L, desired_results):
    return [None for _ in desired_results]
