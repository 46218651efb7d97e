import os
from flask import Flask, request
from receive import receive

app = Flask(__name__)


# `get_data()` first: `request.json` and `request.form` eat the bytes.
@app.post("/hooks")
def hooks():
    return "", receive(request.method, request.headers.items(), request.get_data())


app.run(host="127.0.0.1", port=int(os.environ["PORT"]), threaded=True)
