# attack: keeps every value in a buffer that torch.save writes
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
import io

#: torch
buffer = io.BytesIO()
#: class, values
        torch.save(c, buffer)  # @A
        c = None
        dw0 = b * x1
        torch.save(b, buffer)  # @B
        b = None
        dw1 = a * x2
        torch.save(a, buffer)  # @C
        a = None
#: end
