<?php
// Runs the PHP receiver of docs/receivers against the vectors.
require __DIR__ . '/receiver.php';

function run(array $case, array $jwks): array
{
    $headers = [];
    foreach ($case['request']['headers'] as [$name, $value]) {
        $known = array_key_first(array_filter($headers, fn ($other) => strcasecmp($other, $name) === 0, ARRAY_FILTER_USE_KEY));
        if ($known === null) $headers[$name] = $value;
        else $headers[$known] .= ', ' . trim($value);
    }
    ['method' => $method, 'url' => $url, 'body' => $body] = $case['request'];
    try {
        verify_webhook($method, $url, $headers, $body, $jwks[$case['jwks']], $case['partner_id'], $case['now']);
        return ['name' => $case['name'], 'accepted' => true];
    } catch (Throwable $error) {
        return ['name' => $case['name'], 'accepted' => false, 'reason' => $error->getMessage()];
    }
}

$task = json_decode(file_get_contents($argv[1]), true, flags: JSON_THROW_ON_ERROR);
$results = array_map(fn ($case) => run($case, $task['jwks']), $task['cases']);
echo json_encode(['results' => $results], JSON_THROW_ON_ERROR);
