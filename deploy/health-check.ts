// Exits with 0 when the service of this machine is ready, and with 1 otherwise. The image's HEALTHCHECK runs
// it.
const timeoutMs = 4_000;

const url = `http://127.0.0.1:${process.env.PORT || 3000}/health/ready`;
try {
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!ok) throw new Error(`it answers ${status}`);
} catch (error) {
  const { message, cause } = error as Error;
  process.stderr.write(
    `Concord is not ready at ${url}: ${cause instanceof Error ? cause.message : message}\n`,
  );
  process.exitCode = 1;
}
