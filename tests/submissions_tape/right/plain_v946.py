# verdict:
# why = "the note, with what the task asks for beside"
#: note
