-- Up Migration

-- "Now", the same for every instance. Tests replace it to set the clock; a plain SQL function costs nothing, it is inlined.
create function concord_now() returns timestamptz language sql stable as $$ select now() $$;

-- A timestamp of ours has milliseconds, as the wire shows them.
create domain moment as timestamptz(3);

create table scheduled_task (
  name text primary key,
  next_at timestamptz not null default '-infinity'
);

-- One row for each version of CONCORD_SECRETS this database has seen: an instance with other secrets refuses to start.
create table secret_check (
  version integer primary key,
  check_value bytea not null
);

-- Answers kept for Idempotency-Key, committed together with the effect that they tell of.
create table idempotent_answer (
  principal_id text not null,
  method text not null,
  path text not null,
  key text not null,
  body_hash bytea not null,
  status smallint not null,
  headers jsonb not null,
  body text not null,
  created_at moment not null default concord_now(),
  primary key (principal_id, key, method, path)
);
create index idempotent_answer_created_at on idempotent_answer (created_at);
