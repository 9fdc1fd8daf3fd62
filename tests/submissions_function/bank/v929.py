# Rows added to the rows of a table; an index may occur several times, or not at all.
EXERCISE = "autograd-function"
BELOW = {"index": "c"}


def v929(table: Float[Tensor, "c d"], index: Int[Tensor, "n"], x: Float[Tensor, "n d"]):
    return table.index_add(0, index, x)
