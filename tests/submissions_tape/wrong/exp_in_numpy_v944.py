# verdict:
# failed = "integrity hidden-work @A, forward hidden-work @A, gradient, none, unused-nodes, release"
# why = "leaves torch for the exponential"
#: note, minus, div, exp, log, tanh
import numpy as np


def operator_exp(self):
    r = Variable(torch.tensor(np.exp(self.value.numpy())))  # @A

    def propagate(dL_doutputs):
        dL_dr, = dL_doutputs
        return [dL_dr * r]

    gradient_tape.append(TapeEntry(inputs=[self.name], outputs=[r.name], propagate=propagate))
    return r


Variable.exp = operator_exp
