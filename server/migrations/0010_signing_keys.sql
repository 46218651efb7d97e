-- Up Migration

-- The keys that sign webhooks. The state of a key is not stored; it follows from its timestamps.
create table signing_key (
  -- The RFC 7638 thumbprint.
  kid text primary key,
  environment text not null check (environment in ('live', 'sandbox')),
  -- Unique in its environment, so when several instances rotate at once, one creates the next key.
  sequence integer not null check (sequence > 0),
  public_jwk jsonb not null,
  -- The sealed private key.
  sealed bytea not null,
  -- The key is published from then on.
  created_at moment not null default concord_now(),
  activates_at moment not null check (activates_at >= created_at),
  retires_at moment not null check (retires_at > activates_at),
  revoked_at moment,
  unique (environment, sequence)
);
