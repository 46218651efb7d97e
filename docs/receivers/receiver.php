<?php

/**
 * Returns the event id. $url: the endpoint's `url`, as Concord shows it; $headers: getallheaders(); $body: file_get_contents('php://input');
 * $partner: your partner, whose events are the only ones to accept.
 */
function verify_webhook(string $method, string $url, array $headers, string $body, array $jwks, string $partner, int $now): string
{
    $headers = array_map(fn ($value) => trim($value, " \t"), array_change_key_case($headers));
    foreach (['content-type', 'content-digest', 'webhook-id', 'signature-input', 'signature'] as $name) {
        demand(preg_match('/^[\t\x20-\x7e]+$/D', $headers[$name] ?? '') === 1, "$name is missing, or is not ASCII text");
    }
    $form = '/^([a-z*][a-z0-9_.*-]*)=(\("@method" "@target-uri" "content-type" "content-digest" "webhook-id"\)'
        . ';created=(\d{1,15});alg="ecdsa-p384-sha384";keyid="([\w-]+)")$/D';
    demand(preg_match($form, $headers['signature-input'], $input) === 1, 'Signature-Input has another form than Concord writes');
    [, $label, $parameters, $created, $kid] = $input;
    demand(abs($now - (int) $created) <= 300, 'created must be within 300 s of the clock');
    $form = '/^' . preg_quote($label, '/') . '=:([A-Za-z0-9+\/]{128}):$/D';
    demand(preg_match($form, $headers['signature'], $signature) === 1, 'Signature must have one signature of 96 bytes');

    $base = "\"@method\": $method\n\"@target-uri\": $url\n\"content-type\": {$headers['content-type']}\n"
        . "\"content-digest\": {$headers['content-digest']}\n\"webhook-id\": {$headers['webhook-id']}\n\"@signature-params\": $parameters";
    [$r, $s] = array_map('to_der_integer', str_split(base64_decode($signature[1]), 48));
    $der = "\x30" . chr(strlen($r . $s)) . $r . $s;
    demand(openssl_verify($base, $der, find_key($jwks, $kid), OPENSSL_ALGO_SHA384) === 1, 'the signature is invalid');

    $digest = 'sha-256=:' . base64_encode(hash('sha256', $body, true)) . ':';
    demand(hash_equals($digest, $headers['content-digest']), 'Content-Digest does not match the body');
    $event = json_decode($body, true);
    demand(is_array($event) && is_string($event['id'] ?? null), 'the body is not an event');
    demand(($event['partner_id'] ?? null) === $partner, 'the event belongs to another partner');
    return $event['id'];
}

function find_key(array $jwks, string $kid): OpenSSLAsymmetricKey
{
    foreach ($jwks['keys'] as $key) {
        if ($key['kid'] !== $kid || ($key['crv'] ?? '') !== 'P-384') continue;
        $point = base64_decode(strtr($key['x'] . $key['y'], '-_', '+/'));
        // SubjectPublicKeyInfo of a point on P-384 (RFC 5480).
        $der = hex2bin('3076301006072a8648ce3d020106052b8104002203620004') . $point;
        $found = openssl_pkey_get_public("-----BEGIN PUBLIC KEY-----\n" . chunk_split(base64_encode($der)) . '-----END PUBLIC KEY-----');
        demand($found !== false, 'the key is invalid');
        return $found;
    }
    throw new RuntimeException('unknown key');
}

function to_der_integer(string $bytes): string
{
    $bytes = ltrim($bytes, "\0");
    if ($bytes === '' || ord($bytes[0]) > 127) $bytes = "\0" . $bytes;
    return "\x02" . chr(strlen($bytes)) . $bytes;
}

function demand(bool $condition, string $message): void
{
    if (!$condition) throw new RuntimeException($message);
}
