-- What can be done and looked up later: replays, held deliveries, the sandbox receiver, statistics.

-- A replay works on each delivery that matches a filter. It runs in steps, and each step commits its
-- progress.
create table replay (
  id uuid primary key,
  partner_id uuid not null references partner (id) on delete cascade,
  -- A replay starts new rounds (`replay`), or sends now what waits for a retry (`send_now`).
  action text not null default 'replay' check (action in ('replay', 'send_now')),
  -- As the client wrote it.
  filter jsonb not null,
  -- How many deliveries matched when it was requested. Null: not all were counted.
  total integer,
  replayed integer not null default 0,
  skipped integer not null default 0,
  -- The last delivery that was examined.
  reached uuid,
  -- Somebody stopped it before its end.
  stopped boolean not null default false,
  created_at moment not null default concord_now(),
  completed_at moment,
  -- Only what is pending can be sent now.
  check (action = 'replay' or filter ->> 'status' is not distinct from 'pending'),
  check (not stopped or completed_at is not null)
);

create index replay_of_partner on replay (partner_id, id);
-- One of each action runs for each endpoint that a filter names, and one for all others.
create unique index replay_running on replay (partner_id, action, coalesce(filter ->> 'endpoint_id', ''))
  where completed_at is null;

-- After a restore, deliveries and mails that waited in the backup are held until an operator chooses:
-- nobody can know which of them were sent since (behaviour O26). They are due at 'infinity', so nobody
-- sends them. One row while they are held.
create table held_deliveries (
  id boolean primary key default true check (id),
  -- The time of the backup. Replays that are older wait too.
  taken_at moment not null,
  restored_at moment not null default concord_now(),
  -- Null: nobody has chosen yet. A task then works on the choice, and deletes the row at its end.
  choice text check (choice in ('send', 'fail'))
);

-- The sandbox receiver of a partner: a URL of Concord itself that keeps the last 50 requests.
create table sandbox_receiver (
  partner_id uuid primary key references partner (id) on delete cascade,
  -- The end of the URL. Whoever knows it can send requests, and read nothing. Members see it in the URL.
  token text not null unique check (token ~ '^[A-Za-z0-9_-]{32}$'),
  created_at moment not null default concord_now(),
  -- How many requests came. It numbers them.
  received bigint not null default 0
);

-- A ring: a request takes the slot of the one that came 50 requests earlier.
create table sandbox_receiver_request (
  partner_id uuid not null references sandbox_receiver (partner_id) on delete cascade,
  slot smallint not null constraint slot check (slot between 0 and 49),
  number bigint not null,
  method text not null,
  -- Pairs of name and value, without headers that an endpoint was given.
  headers jsonb not null check (octet_length(headers::text) <= 65536),
  body bytea not null check (octet_length(body) <= 327680),
  received_at moment not null,
  -- The finding, with what the request claims: key and event.
  verification jsonb not null check (octet_length(verification::text) <= 65536),
  delivery_id uuid,
  primary key (partner_id, slot),
  constraint slot_of_number check (slot = number % 50)
);

create index sandbox_receiver_request_received_at on sandbox_receiver_request (received_at);

-- The last go-live check of an endpoint, for its present URL: another URL deletes it (behaviour W61).
create table endpoint_check (
  endpoint_id uuid primary key references webhook_endpoint (id) on delete cascade,
  id uuid not null,
  url text not null,
  -- `none`: only a waiver.
  status text not null check (status in ('none', 'running', 'passed', 'failed')),
  -- The cases that have ended, in their order.
  results jsonb not null default '[]',
  -- The event of the requests that are one delivery. No such event exists.
  event_id uuid not null,
  started_at moment not null default concord_now(),
  finished_at moment,
  waived_at moment,
  waived_reason text check (char_length(waived_reason) <= 2000),
  -- The process that runs it, and when another one may take it over. Null: nobody does.
  owner uuid,
  leased_until timestamptz,
  check ((status = 'running') = (finished_at is null)),
  check (status <> 'none' or waived_at is not null),
  check ((waived_at is null) = (waived_reason is null)),
  check ((owner is null) = (leased_until is null))
);

create index endpoint_check_running on endpoint_check (started_at) where status = 'running';

-- Attempts by endpoint, minute, outcome and latency, counted in the transaction that records their
-- results (behaviour N2).
create table delivery_minute (
  partner_id uuid not null,
  endpoint_id uuid not null,
  -- The beginning of the minute in which the attempt began.
  at timestamptz not null,
  -- `delivered`, or why the attempt failed.
  outcome text not null check (char_length(outcome) between 1 and 30),
  -- A bucket of the latency (webhooks/statistics/latency.ts). -1: there was no answer.
  bucket smallint not null check (bucket between -1 and 199),
  count bigint not null check (count > 0),
  primary key (partner_id, endpoint_id, at, outcome, bucket)
) with (fillfactor = 80);

create index delivery_minute_at on delivery_minute (at);

-- The sums of whole hours: for an endpoint; for a partner, with the endpoint 0; and for everyone, with
-- the partner 0 too.
create table delivery_hour (
  partner_id uuid not null,
  endpoint_id uuid not null,
  at timestamptz not null,
  outcome text not null,
  bucket smallint not null,
  count bigint not null check (count > 0),
  -- With its count, so that statistics of many hours read the index only: the rows of one partner are far
  -- apart in the table.
  primary key (partner_id, endpoint_id, at, outcome, bucket) include (count)
) with (autovacuum_vacuum_insert_scale_factor = 0.02);

create index delivery_hour_at on delivery_hour (at);

-- Attempts of the hours before this time are in both tables. Later ones are only in the minutes.
create table delivery_hour_progress (
  only_row boolean primary key default true check (only_row),
  hours_until timestamptz not null
);

insert into delivery_hour_progress (hours_until) values ('-infinity');
