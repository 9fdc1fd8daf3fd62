# verdict:
# why = "the note's own"
#: note
