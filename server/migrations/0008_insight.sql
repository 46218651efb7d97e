-- The instances and their traffic.

-- The running instances. Each writes its heartbeat every few seconds, and deletes its row when it
-- stops.
create table instance (
  id uuid primary key,
  host_name text not null check (char_length(host_name) <= 255),
  role text not null check (role in ('all', 'api', 'worker')),
  version text not null,
  started_at moment not null,
  seen_at moment not null,
  -- The lanes that its deliverer owned then.
  lanes integer not null check (lanes >= 0)
) with (fillfactor = 50);

-- Answered requests and published events of all instances, by the minute, and after a week by the hour.
create table traffic (
  at timestamptz primary key,
  requests bigint not null check (requests >= 0),
  client_errors bigint not null check (client_errors >= 0),
  server_errors bigint not null check (server_errors >= 0),
  events bigint not null check (events >= 0)
) with (fillfactor = 80);

-- The partner that gets events about the platform (behaviour W66). One row, once they were wanted.
create table platform_partner (
  only_row boolean primary key default true check (only_row),
  partner_id uuid not null references partner (id) on delete cascade,
  -- CONCORD_PLATFORM_EVENTS of the last start.
  publishes boolean not null,
  -- What begins or ends by time alone is announced up to here.
  announced_until timestamptz not null default concord_now()
);

-- What happened, until it is published: written in the transaction in which it happened.
create table platform_event (
  -- The producer id of the event.
  id uuid not null default gen_random_uuid(),
  type text not null references event_type (name),
  data jsonb not null,
  occurred_at moment not null default concord_now(),
  position bigint primary key generated always as identity
);
