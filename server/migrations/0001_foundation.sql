-- Up Migration

-- The database's clock, shared by all instances. Tests replace the function to set the time. It costs nothing: PostgreSQL inlines it.
create function concord_now() returns timestamptz language sql stable as $$ select now() $$;

-- Timestamps have milliseconds, as in the API.
create domain moment as timestamptz(3);

create table scheduled_task (
  name text primary key,
  next_at timestamptz not null default '-infinity'
);

-- One row for each version of CONCORD_SECRETS that this database has seen. An instance with different secrets refuses to start.
create table secret_check (
  version integer primary key,
  check_value bytea not null
);

-- Stored answers of idempotent requests (Idempotency-Key), written in the transaction of their effect.
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
