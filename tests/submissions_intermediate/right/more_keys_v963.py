# verdict:
# why = "keys that nobody asks for"
#: all, retain
    return {"loss": loss, "w": w.grad, "prediction": prediction.grad, "residual": residual.grad}
