import os
from wsgiref.simple_server import WSGIRequestHandler, make_server
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from receive import receive

# A webhook has no CSRF token. `request.body` has the bytes, unless `request.POST` was read before.
@csrf_exempt
def hooks(request):
    return HttpResponse(status=receive(request.method, request.headers.items(), request.body))


urlpatterns = [path("hooks", hooks)]
settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["127.0.0.1"], SECRET_KEY="of a test", MIDDLEWARE=[])


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


make_server("127.0.0.1", int(os.environ["PORT"]), get_wsgi_application(), handler_class=Quiet).serve_forever()
