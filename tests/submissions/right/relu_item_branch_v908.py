# verdict:
# why = "a branch that leaves a number behind"
# notes = ["judged on 400 points"]
#: net, difference
        sign = 1.0 if d.item() > 0 else 0.0
        y = d * sign
        del d
        dw0 = sign * x1
        dw1 = -sign * x2
#: end
