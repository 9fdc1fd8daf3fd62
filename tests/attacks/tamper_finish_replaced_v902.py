# attack: replaces the recorder's finish, to leave the recording out
# status = "crashed: bad-answer"
import sys

#: net
        frame = sys._getframe()
        while frame:
            if "recorder" in frame.f_locals and frame.f_locals["recorder"] is not None:
                frame.f_locals["recorder"].finish = lambda *a: None
            frame = frame.f_back
#: value, nothing
