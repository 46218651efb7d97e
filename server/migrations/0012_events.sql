-- Up Migration

-- The smallest UUIDv7 of a moment, and of those before 1970: what an id range begins with.
create function first_id_of(at timestamptz) returns uuid language sql immutable strict as $$
  select (lpad(to_hex(greatest(0, floor(extract(epoch from at) * 1000))::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Drawn while the partner's feed is not read, so that who has read up to one has missed none before it (behaviour W10).
create sequence event_position;

-- What happened. Events, deliveries and attempts are partitioned by the week of their id (webhooks/deliverer/history.ts): an event, its deliveries
-- and their attempts lie in the same week.
create table event (
  id uuid primary key,
  partner_id uuid not null references partner (id) on delete cascade,
  environment text not null check (environment in ('live', 'sandbox')),
  type text not null,
  producer_id text check (char_length(producer_id) <= 255),
  position bigint not null,
  -- The bytes that receivers get: fixed here, once.
  body text not null,
  created_at moment not null
) partition by range (id);
create index event_feed on event (partner_id, environment, position);

-- Beside the events, since a unique index of a partitioned table must have the id in it. Kept as long as they are.
create table known_producer_id (
  partner_id uuid not null references partner (id) on delete cascade,
  environment text not null,
  producer_id text not null,
  event_id uuid not null,
  content_hash bytea not null,
  created_at moment not null,
  primary key (partner_id, environment, producer_id)
);
create index known_producer_id_created_at on known_producer_id (created_at);

-- One event on its way to one endpoint. The endpoint may be gone.
create table delivery (
  id uuid primary key,
  event_id uuid not null,
  event_type text not null,
  partner_id uuid not null references partner (id) on delete cascade,
  endpoint_id uuid not null,
  environment text not null,
  -- Of the event: strict endpoints get them in this order.
  position bigint not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  attempt_count integer not null default 0,
  -- Of the present round: a replay begins anew.
  round_attempts integer not null default 0,
  next_attempt_at moment,
  created_at moment not null,
  completed_at moment,
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'pending') = (completed_at is null))
) partition by range (id);
-- The queue: it holds what is pending alone, so it stays small whatever was delivered before.
create index delivery_due on delivery (endpoint_id, next_attempt_at) where status = 'pending';
create index delivery_in_order on delivery (endpoint_id, position) where status = 'pending';
create index delivery_of_partner on delivery (partner_id, id);
-- With the partner first, so that the queue, which knows none, cannot take it for its own.
create index delivery_of_endpoint on delivery (partner_id, endpoint_id, id);
create index delivery_undelivered on delivery (partner_id, status, id) where status <> 'delivered';

create table attempt (
  delivery_id uuid not null references delivery (id) on delete cascade,
  number integer not null check (number > 0),
  started_at moment not null,
  duration_ms integer not null check (duration_ms >= 0),
  status_code integer,
  error text,
  response_body text,
  primary key (delivery_id, number)
) partition by range (delivery_id);

-- An endpoint's turn. Whoever owns the lane sends what is due in it; nobody else does.
create table lane (
  endpoint_id uuid primary key references webhook_endpoint (id) on delete cascade,
  -- Not owned: when something is due. Owned: when the lease ends.
  next_at timestamptz not null default 'infinity',
  owner uuid,
  -- Moves with each owner: what an earlier one still writes is refused.
  epoch bigint not null default 0,
  -- Since when every attempt has failed.
  failing_since moment,
  check (owner is null or next_at < 'infinity')
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index lane_next_at on lane (next_at) where next_at < 'infinity';
insert into lane (endpoint_id) select id from webhook_endpoint;

-- Since when an endpoint is disabled: its deliveries wait 30 days at most.
alter table webhook_endpoint add column disabled_at moment;
update webhook_endpoint set disabled_at = concord_now() where status = 'disabled';
alter table webhook_endpoint add check ((status = 'disabled') = (disabled_at is not null));

-- A request to replay what failed at an endpoint, worked off in steps that each commit how far they came.
create table recovery (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoint (id) on delete cascade,
  since moment not null,
  until moment not null,
  total integer not null,
  replayed integer not null default 0,
  -- The last delivery that was replayed.
  reached uuid,
  created_at moment not null default concord_now(),
  completed_at moment
);
create index recovery_of_endpoint on recovery (endpoint_id);
-- One at a time.
create unique index recovery_running on recovery (endpoint_id) where completed_at is null;

-- Endpoints that were deleted while more waited for them than could be cancelled at once.
create table cancellation (endpoint_id uuid primary key);
