// A server in each language that calls the verification of docs/receivers, for one endpoint.

/** What is filled in. `url` is signed, so it is the URL that Concord shows. */
export type Place = { readonly url: string; readonly partner: string; readonly jwks: string };

const receiverOf = ({ url, partner, jwks }: Place): string => `const receiver = createWebhookReceiver({
  url: ${JSON.stringify(url)}, // as Concord shows it: it is signed
  partnerId: ${JSON.stringify(partner)},
  keys: createKeyCache({ url: ${JSON.stringify(jwks)}${jwks.startsWith('http:') ? ', allowHttp: true' : ''} }),
  handle: async (event) => console.log(event.type, event.data),
});
`;

export const inNode = (place: Place): string => `import { createServer } from 'node:http';
import { createKeyCache, createWebhookReceiver, toNodeHandler } from '@concord/webhook-receiver';

${receiverOf(place)}createServer(toNodeHandler(receiver)).listen(8080);
`;

export const inModule = (
  place: Place,
): string => `import { createKeyCache, createWebhookReceiver } from '@concord/webhook-receiver';

export ${receiverOf(place)}`;

export const inTypeScript = ({
  url,
  partner,
  jwks,
}: Place): string => `const url = ${JSON.stringify(url)}; // as Concord shows it: it is signed
const partner = ${JSON.stringify(partner)};
const jwks = ${JSON.stringify(jwks)};

// Concord writes exactly this profile (RFC 9421), so anything else is refused.
const profile = /^sig1=(\\("@method" "@target-uri" "content-type" "content-digest" "webhook-id"\\);created=(\\d+);alg="ecdsa-p384-sha384";keyid="([\\w-]+)")$/;

async function verify(request: Request) {
  const { headers } = request;
  const body = new Uint8Array(await request.arrayBuffer());
  const [, parameters, created, kid] = profile.exec(headers.get('signature-input') ?? '') ?? [];
  if (!parameters) throw new Error('The signature has another form');
  if (Math.abs(Date.now() / 1000 - Number(created)) > 300) throw new Error('The signature is not of the last five minutes');

  const { keys } = await (await fetch(jwks)).json(); // keep it for an hour
  const jwk = keys.find((key: { kid: string }) => key.kid === kid);
  if (!jwk) throw new Error('The key is not published');
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-384' }, false, ['verify']);

  const base = [
    \`"@method": \${request.method}\`,
    \`"@target-uri": \${url}\`,
    \`"content-type": \${headers.get('content-type')}\`,
    \`"content-digest": \${headers.get('content-digest')}\`,
    \`"webhook-id": \${headers.get('webhook-id')}\`,
    \`"@signature-params": \${parameters}\`,
  ].join('\\n');
  const [, encoded = ''] = /^sig1=:([A-Za-z0-9+/=]+):$/.exec(headers.get('signature') ?? '') ?? [];
  const signature = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  const isValid = await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-384' }, key, signature, new TextEncoder().encode(base));
  if (!isValid) throw new Error('The signature is invalid');

  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  if (headers.get('content-digest') !== \`sha-256=:\${btoa(String.fromCharCode(...digest))}:\`) throw new Error('The body was changed');
  const event = JSON.parse(new TextDecoder().decode(body));
  // Anyone with a partner can register your URL.
  if (event.partner_id !== partner) throw new Error('The event belongs to another partner');
  return event; // the same event can come again, with the same id
}

Deno.serve({ port: 8080 }, async (request) => {
  try {
    const event = await verify(request);
    console.log(event.type, event.data);
    return new Response(null, { status: 204 });
  } catch (error) {
    console.error(error);
    return new Response('The webhook is invalid', { status: 401 });
  }
});
`;

export const inPython = ({
  url,
  partner,
  jwks,
}: Place): string => `# The server. Keep the JWKS for an hour, and remember the ids that were handled.
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

URL = ${JSON.stringify(url)}  # as Concord shows it: it is signed
PARTNER = ${JSON.stringify(partner)}
JWKS = ${JSON.stringify(jwks)}


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            with urllib.request.urlopen(JWKS) as answer:
                jwks = json.load(answer)
            print("verified", verify(self.command, URL, self.headers, body, jwks, PARTNER))
            self.send_response(204)
        except Exception as error:
            print("refused", repr(error))
            self.send_response(401)
        self.end_headers()


HTTPServer(("", 8080), Receiver).serve_forever()
`;

export const inGo = ({ url, partner, jwks }: Place): string => `package main

import (
	"encoding/json"
	"log"
	"net/http"
	"time"
)

const (
	endpoint = ${JSON.stringify(url)} // as Concord shows it: it is signed
	partner  = ${JSON.stringify(partner)}
	jwksURL  = ${JSON.stringify(jwks)}
)

// fetchKeys fetches the JWKS. Keep it for an hour.
func fetchKeys() (JWKS, error) {
	var jwks JWKS
	answer, err := http.Get(jwksURL)
	if err != nil {
		return jwks, err
	}
	defer answer.Body.Close()
	return jwks, json.NewDecoder(answer.Body).Decode(&jwks)
}

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		jwks, err := fetchKeys()
		if err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		id, err := Verify(r, endpoint, partner, jwks, time.Now())
		if err != nil {
			log.Print("refused: ", err)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		log.Print("verified: ", id)
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
`;

export const inJava = ({ url, partner, jwks }: Place): string => `import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.*;
import java.time.Instant;
import java.util.*;

final class Receiver {
    static final String URL = ${JSON.stringify(url)}; // as Concord shows it: it is signed
    static final String PARTNER = ${JSON.stringify(partner)};
    static final String JWKS = ${JSON.stringify(jwks)}; // keep it for an hour

    public static void main(String[] args) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpServer server = HttpServer.create(new InetSocketAddress(8080), 0);
        server.createContext("/", exchange -> {
            int status = 204;
            try {
                byte[] body = exchange.getRequestBody().readAllBytes();
                Map<String, List<String>> headers = new HashMap<>();
                exchange.getRequestHeaders().forEach((name, lines) -> headers.put(name.toLowerCase(Locale.ROOT), lines));
                String keys = client.send(HttpRequest.newBuilder(URI.create(JWKS)).build(), HttpResponse.BodyHandlers.ofString()).body();
                String id = Webhooks.verify(exchange.getRequestMethod(), URL, headers, body,
                        JsonParser.parseString(keys).getAsJsonObject(), PARTNER, Instant.now());
                System.out.println("verified " + id);
            } catch (Exception error) {
                System.out.println("refused " + error);
                status = 401;
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }
}
`;

/** A text in single quotes, where PHP and Ruby replace nothing. */
const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

export const inPhp = ({ url, partner, jwks }: Place): string => `<?php

require __DIR__ . '/verify.php';

const URL = ${quote(url)}; // as Concord shows it: it is signed
const PARTNER = ${quote(partner)};
const JWKS = ${quote(jwks)}; // keep it for an hour

try {
    $jwks = json_decode(file_get_contents(JWKS), true);
    $body = file_get_contents('php://input');
    $id = verify_webhook($_SERVER['REQUEST_METHOD'], URL, getallheaders(), $body, $jwks, PARTNER, time());
    error_log("verified $id");
    http_response_code(204);
} catch (Throwable $error) {
    error_log("refused {$error->getMessage()}");
    http_response_code(401);
}
`;

export const inRuby = ({ url, partner, jwks }: Place): string => `require "net/http"
require_relative "verify"

URL = ${quote(url)} # as Concord shows it: it is signed
PARTNER = ${quote(partner)}
JWKS = ${quote(jwks)} # keep it for an hour

run(lambda do |env|
  headers = env.select { |name, _| name.start_with?("HTTP_") || name == "CONTENT_TYPE" }
               .transform_keys { |name| name.delete_prefix("HTTP_").downcase.tr("_", "-") }
  jwks = JSON.parse(Net::HTTP.get(URI(JWKS)))
  id = Webhooks.verify(env["REQUEST_METHOD"], URL, headers, env["rack.input"].read, jwks, PARTNER)
  puts "verified #{id}"
  [204, {}, []]
rescue StandardError => e
  puts "refused #{e.message}"
  [401, {}, []]
end)
`;
