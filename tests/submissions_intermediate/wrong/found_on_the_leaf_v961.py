# verdict:
# failed = "gradient wrong-gradient @A hidden, gradient wrong-gradient @A logits"
# why = "the first gradients stay on the leaf: a second call with it returns them"
#: all
    if not hasattr(w, "found"):
        w.found = {}
    hidden.register_hook(lambda grad: w.found.setdefault("hidden", grad))
    logits.register_hook(lambda grad: w.found.setdefault("logits", grad))
    loss.backward()
    return w.found  # @A
