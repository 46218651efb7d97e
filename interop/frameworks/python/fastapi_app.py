import os, uvicorn
from fastapi import FastAPI, Request, Response
from receive import receive

app = FastAPI()


# `request.body()` has the bytes. A parameter with a model would parse them.
@app.post("/hooks")
async def hooks(request: Request):
    body = await request.body()
    return Response(status_code=receive(request.method, request.headers.items(), body))


uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="error")
