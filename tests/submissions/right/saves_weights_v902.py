# verdict:
# why = "saves the weights in the pass"
import io

#: net
        buffer = io.BytesIO()
        torch.save(self.w.detach(), buffer)
        del buffer
#: values
        c = None
        dw0 = b * x1
        b = None
        dw1 = a * x2
        a = None
#: end
