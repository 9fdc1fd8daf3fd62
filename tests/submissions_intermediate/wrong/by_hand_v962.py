# verdict:
# failed = "gradient, release, integrity not-from-graph @A y1, integrity not-from-graph @B y2"
# why = "worked out by hand"
#: start, forward
    d_y1 = 2 * (y1 - y2)  # @A
    return {"y1": d_y1, "y2": -d_y1}  # @B
