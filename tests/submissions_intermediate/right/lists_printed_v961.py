# verdict:
# why = "lists and arrays that are looked at and let go, a global with what is returned, and a counter"
#: imports
RESULT = {}
CALLS = 1000


#: def
    global RESULT, CALLS
    CALLS += 1
#: forward, loss, retain
    print(hidden.tolist(), logits.detach().numpy())
    rows = hidden.detach().numpy().copy()
    assert rows.sum() < 1e9
    RESULT = {"hidden": hidden.grad, "logits": logits.grad}
    return RESULT
