# verdict:
# why = "saves each value into a buffer and drops the buffer"
import io

#: net, values
        buffer = io.BytesIO()
        torch.save(c, buffer)
        del buffer
        c = None
        dw0 = b * x1
        buffer = io.BytesIO()
        torch.save(b, buffer)
        del buffer
        b = None
        dw1 = a * x2
        buffer = io.BytesIO()
        torch.save(a, buffer)
        del buffer
        a = None
#: end
