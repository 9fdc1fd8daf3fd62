# verdict:
# failed = "gradient no-gradient @A scores, gradient no-gradient @A weights, gradient wrong-shape @A mixed, release"
# why = "all hooks have the last name of the loop"
#: all
    found = {}
    for name, tensor in (("scores", scores), ("weights", weights), ("mixed", mixed)):
        tensor.register_hook(lambda grad: found.update({name: grad}))
    loss.backward()
    return found  # @A
