-- Up Migration

-- The smallest UUIDv7 of a time: the start of an id range. Times before 1970 count as 1970.
create function first_id_of(at timestamptz) returns uuid language sql immutable strict as $$
  select (lpad(to_hex(greatest(0, floor(extract(epoch from at) * 1000))::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- The position of an event in its partner's feed. Publishers draw it under the publish lock, so a reader never misses an earlier
-- position (behaviour W10).
create sequence event_position;

-- Events. Events, deliveries and attempts are partitioned by the week of their id. An event, its deliveries and their attempts are in
-- the same week.
create table event (
  id uuid primary key,
  partner_id uuid not null references partner (id) on delete cascade,
  environment text not null check (environment in ('live', 'sandbox')),
  type text not null,
  producer_id text check (char_length(producer_id) <= 255),
  position bigint not null,
  -- The exact text that receivers get, in every attempt.
  body text not null,
  created_at moment not null
) partition by range (id);
create index event_feed on event (partner_id, environment, position);

-- Producer ids, to detect duplicates. A unique index of a partitioned table must include the id, so they have their own table. Rows
-- are kept as long as their events.
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

-- One event for one endpoint. The endpoint may have been deleted.
create table delivery (
  id uuid primary key,
  event_id uuid not null,
  event_type text not null,
  partner_id uuid not null references partner (id) on delete cascade,
  endpoint_id uuid not null,
  environment text not null,
  -- The position of the event. Endpoints with strict ordering get deliveries in this order.
  position bigint not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  attempt_count integer not null default 0,
  -- Attempts in the current round. A replay starts a new round.
  round_attempts integer not null default 0,
  next_attempt_at moment,
  created_at moment not null,
  completed_at moment,
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'pending') = (completed_at is null))
) partition by range (id);
-- The queue. It has pending deliveries only, so it stays small.
create index delivery_due on delivery (endpoint_id, next_attempt_at) where status = 'pending';
create index delivery_in_order on delivery (endpoint_id, position) where status = 'pending';
create index delivery_of_partner on delivery (partner_id, id);
-- Starts with the partner, so the planner cannot choose it for queries of the queue, which have no partner.
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

-- One lane for each endpoint. Only the owner of a lane sends its due deliveries.
create table lane (
  endpoint_id uuid primary key references webhook_endpoint (id) on delete cascade,
  -- Without an owner: when the first delivery is due. With an owner: when its lease ends.
  next_at timestamptz not null default 'infinity',
  owner uuid,
  -- Increases with each claim, so writes of an earlier owner are refused.
  epoch bigint not null default 0,
  -- The start of the current series of failed attempts; null after a success.
  failing_since moment,
  check (owner is null or next_at < 'infinity')
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index lane_next_at on lane (next_at) where next_at < 'infinity';
insert into lane (endpoint_id) select id from webhook_endpoint;

-- When the endpoint was disabled. Its deliveries wait at most 30 days from then.
alter table webhook_endpoint add column disabled_at moment;
update webhook_endpoint set disabled_at = concord_now() where status = 'disabled';
alter table webhook_endpoint add check ((status = 'disabled') = (disabled_at is not null));

-- A request to replay the failed deliveries of an endpoint. It runs in steps, and each step commits its progress.
create table recovery (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoint (id) on delete cascade,
  since moment not null,
  until moment not null,
  total integer not null,
  replayed integer not null default 0,
  -- The last replayed delivery.
  reached uuid,
  created_at moment not null default concord_now(),
  completed_at moment
);
create index recovery_of_endpoint on recovery (endpoint_id);
-- One running recovery for each endpoint.
create unique index recovery_running on recovery (endpoint_id) where completed_at is null;

-- Deleted endpoints with more pending deliveries than one transaction cancels. A task cancels the rest.
create table cancellation (endpoint_id uuid primary key);
