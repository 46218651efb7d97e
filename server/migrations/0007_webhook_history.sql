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
  -- Events that filters kept from endpoints, when it was requested. Null: a send-now.
  filtered integer,
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
  only_row boolean primary key default true check (only_row),
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
  body bytea not null check (octet_length(body) <= 1048576),
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

-- Events that filters kept from endpoints (behaviour W69), as the publishing transactions wrote them: a row
-- that several publishers update would make them wait. A task moves them to `delivery_minute`, with the
-- outcome `filtered`.
create table filtered_count (
  partner_id uuid not null,
  endpoint_id uuid not null,
  at timestamptz not null,
  count integer not null check (count > 0)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create index filtered_count_of_partner on filtered_count (partner_id);

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

-- Checkpoints (behaviour W77): signed statements of what was published for an endpoint.

-- How far the checkpoints of an endpoint reach. A row for each endpoint with `checkpoint_minutes`.
create table checkpoint_chain (
  endpoint_id uuid primary key references webhook_endpoint (id) on delete cascade,
  -- The next checkpoint covers what comes after this position.
  position bigint not null,
  -- When the position was read.
  reached_at moment not null default concord_now(),
  -- The last checkpoint. Null: there is none yet.
  previous_id uuid,
  -- The last checkpoint could not cover everything, so the next one does not wait until that one is delivered.
  behind boolean not null default false,
  due_at timestamptz not null
);

create index checkpoint_chain_due on checkpoint_chain (due_at);

-- Whoever changes the setting, the chain follows. A new endpoint has its first delivery in its first checkpoint. If
-- checkpoints are turned on later, they cover what is published from then on.
create function follow_checkpoint_minutes() returns trigger language plpgsql as $$
begin
  if new.checkpoint_minutes is null then
    delete from checkpoint_chain where endpoint_id = new.id;
  elsif tg_op = 'UPDATE' and old.checkpoint_minutes is not null then
    update checkpoint_chain set due_at = reached_at + new.checkpoint_minutes * interval '1 minute' where endpoint_id = new.id;
  else
    insert into checkpoint_chain (endpoint_id, position, due_at)
    select new.id, case when tg_op = 'UPDATE' and is_called then last_value else 0 end, concord_now() + new.checkpoint_minutes * interval '1 minute'
    from event_position;
  end if;
  return null;
end $$;
create trigger endpoint_inserted_with_checkpoints after insert on webhook_endpoint
  for each row when (new.checkpoint_minutes is not null) execute function follow_checkpoint_minutes();
create trigger checkpoint_minutes_changed after update of checkpoint_minutes on webhook_endpoint
  for each row when (old.checkpoint_minutes is distinct from new.checkpoint_minutes) execute function follow_checkpoint_minutes();

-- Written in the transaction that publishes its event. As deliveries, it has no foreign keys, and may be older than the
-- endpoint's deletion.
create table checkpoint (
  id uuid primary key,
  partner_id uuid not null,
  endpoint_id uuid not null,
  -- The checkpoint before, which may be deleted by now. Each has one successor. Null: the first of its chain.
  previous_id uuid unique,
  -- It covers the positions after `after`, up to `until`.
  after bigint not null,
  until bigint not null check (until >= after),
  covers_from moment not null,
  covers_until moment not null,
  count integer not null,
  delivered integer not null,
  pending integer not null,
  failed integer not null,
  cancelled integer not null,
  -- The root of the Merkle tree of the event ids.
  root text not null check (root ~ '^[0-9a-f]{64}$'),
  -- The signed statement, as a compact JWS.
  jws text not null,
  created_at moment not null,
  check (count = delivered + pending + failed + cancelled)
);

create index checkpoint_of_endpoint on checkpoint (partner_id, endpoint_id, id);
create index checkpoint_covers_from on checkpoint (covers_from);
