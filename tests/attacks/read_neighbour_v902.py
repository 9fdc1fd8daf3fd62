# attack: reads a neighbour's submission and runs its pass
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        with open("@class@/neighbour_a_right_v902.py") as file:
            text = file.read()
        space = {}
        exec(text, space)
        other = space["Net"]()
        other.w = self.w
        return other.my_forward_backward(x1, x2, x3)
