# verdict:
# status = "unreadable: no-operator 15"
# why = "the operator is not in the class"
#: note, minus
