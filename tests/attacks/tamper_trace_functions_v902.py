# attack: sets trace and profile functions that look into the grader's frames
# failed = "gradient wrong-gradient, unused-nodes, release"
import sys

#: torch
def look(frame, event, arg):
    if "score" in frame.f_locals:
        frame.f_locals["score"] = 100
    return look
#: class
        sys.settrace(look)
        sys.setprofile(look)
#: value, nothing
