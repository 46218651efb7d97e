-- Webhooks: what is offered, where it goes, and what is on its way.

-- Event types, each with the JSON Schema of its data. Operators add more.
create table event_type (
  name text primary key check (name ~ '^[a-z0-9_]+(\.[a-z0-9_]+)*$' and char_length(name) <= 100),
  description text not null check (char_length(description) <= 2000),
  -- JSON Schema of `data`, draft 2020-12.
  schema jsonb not null,
  example jsonb not null,
  created_at moment not null default concord_now(),
  updated_at moment not null default concord_now(),
  -- The types that are built in cannot be changed (behaviour W26).
  built_in boolean not null default false,
  -- Only the partners in event_type_partner see it, even if there is none (behaviour W73).
  private boolean not null default false,
  -- Subscribers should not rely on it from then on, and use the successor (behaviour W74).
  deprecated_at moment,
  successor text references event_type (name),
  -- It takes no events and no subscriptions (behaviour W74).
  archived_at moment,
  check (successor is null or (deprecated_at is not null and successor <> name)),
  check (not built_in or (not private and deprecated_at is null and archived_at is null))
);

-- Who sees a private type.
create table event_type_partner (
  type text not null references event_type (name) on delete cascade,
  partner_id uuid not null references partner (id) on delete cascade,
  primary key (type, partner_id)
);

create index event_type_partner_partner on event_type_partner (partner_id);

-- Deprecations of which partners must still be told.
create table deprecation_notice (
  type text primary key references event_type (name) on delete cascade,
  -- Partners are told in the order of their ids. Null: none was told yet.
  reached uuid
);

-- The start of the service writes the built-in types. Another update has passed a check that should have
-- refused it.
create function refuse_change_of_built_in() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('concord.built_in', true) = 'on' then
    return new;
  end if;
  raise exception 'The event type % is built in', old.name using errcode = 'check_violation';
end $$;
create trigger event_type_built_in before update or delete on event_type
  for each row when (old.built_in) execute function refuse_change_of_built_in();

-- The webhook endpoints of partners.
create table webhook_endpoint (
  id uuid primary key,
  partner_id uuid not null references partner (id) on delete cascade,
  url text not null check (char_length(url) <= 2048),
  description text check (char_length(description) <= 2000),
  -- Null: all types.
  event_types text[],
  -- Which events are wanted, by their data (behaviour W69). Null: all of its types.
  filter json check (json_typeof(filter) = 'object' and octet_length(filter::text) <= 16384),
  environment text not null check (environment in ('live', 'sandbox')),
  ordering text not null check (ordering in ('none', 'strict')),
  max_concurrency integer not null check (max_concurrency between 1 and 64),
  rate_limit_per_second integer check (rate_limit_per_second between 1 and 1000),
  -- Null in these three: as the platform does (behaviour W68). The delays are in seconds.
  retry_schedule integer[] check (cardinality(retry_schedule) <= 20 and 1 <= all(retry_schedule)),
  timeout_seconds integer check (timeout_seconds >= 1),
  disable_after_hours integer check (disable_after_hours >= 1),
  -- `thin`: events are sent without their data (behaviour W76).
  payload text not null default 'full' check (payload in ('full', 'thin')),
  -- How often a checkpoint is made (behaviour W77). Null: never.
  checkpoint_minutes integer check (checkpoint_minutes between 1 and 1440),
  -- {max_events, max_wait_seconds}: its events are sent in batches (behaviour W70). Null: one by one.
  batch jsonb check (batch is null or coalesce(
    (batch ->> 'max_events')::integer between 2 and 100 and (batch ->> 'max_wait_seconds')::float8 between 0 and 60, false)),
  header_names text[] not null,
  -- {name: value}, sealed. Null when there are none.
  sealed_headers bytea,
  -- How Concord gets tokens for its requests (behaviour W71), as it is shown. Null: it needs none.
  authentication jsonb,
  -- The same with the client secret, sealed.
  sealed_authentication bytea,
  -- The client certificate for TLS (behaviour W72), as it is shown. Null: there is none.
  client_certificate jsonb,
  -- The same certificate with its private key, sealed.
  sealed_client_certificate bytea,
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  disabled_reason text,
  created_at moment not null default concord_now(),
  updated_at moment not null default concord_now(),
  -- When the endpoint was disabled. Its deliveries wait at most 30 days from then.
  disabled_at moment,
  -- The shared secrets of Standard Webhooks, sealed: the present one, and the one before until it ends.
  sealed_signing_secret bytea,
  signing_secret_created_at moment,
  previous_secret_until moment,
  check ((sealed_signing_secret is null) = (signing_secret_created_at is null)),
  check (sealed_signing_secret is not null or previous_secret_until is null),
  -- When the command that listens asked for its requests last. Null: requests go to the URL.
  listener_seen_at moment check (listener_seen_at is null or environment = 'sandbox'),
  -- The go-live check of the present URL (behaviour W61).
  check_status text not null default 'none' check (check_status in ('none', 'running', 'passed', 'failed', 'waived')),
  -- When the last check of the present URL ended, or was waived.
  checked_at moment,
  -- The platform requires a check that the present URL lacks: deliveries wait as for a paused endpoint (W62).
  unchecked boolean not null default false,
  check (updated_at >= created_at),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((sealed_headers is null) = (header_names = '{}')),
  check ((sealed_authentication is null) = (authentication is null)),
  check ((sealed_client_certificate is null) = (client_certificate is null)),
  check ((status = 'disabled') = (disabled_at is not null))
);

create index webhook_endpoint_partner on webhook_endpoint (partner_id, id);
create index webhook_endpoint_event_types on webhook_endpoint using gin (event_types);
create index webhook_endpoint_listener on webhook_endpoint (listener_seen_at) where listener_seen_at is not null;
create index webhook_endpoint_disabled on webhook_endpoint (disabled_at) where status = 'disabled';

-- What holds for every endpoint. One row: every process reads it, whatever its own settings say.
create table webhook_policy (
  only_row boolean primary key default true check (only_row),
  -- CONCORD_REQUIRE_ENDPOINT_CHECK of the process that started last.
  requires_check boolean not null
);

insert into webhook_policy (requires_check) values (false);

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

-- The position of an event in its partner's feed. Publishers draw it under the publish lock, so a reader
-- never misses an earlier position (behaviour W10).
create sequence event_position;

-- Events. Events, deliveries and attempts are partitioned by the week of their id. An event, its
-- deliveries and their attempts are in the same week.
create table event (
  id uuid primary key,
  partner_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  type text not null,
  producer_id text check (char_length(producer_id) <= 255),
  position bigint not null,
  -- The exact text that receivers get, in every attempt.
  body text not null,
  created_at moment not null,
  -- The W3C traceparent of the publish, so that attempts can be linked to it. Null: Concord did not
  -- trace.
  traceparent text,
  -- The endpoints that get no delivery because of their filters. Null: none.
  filtered_for uuid[] check (cardinality(filtered_for) > 0)
) partition by range (id);

create index event_feed on event (partner_id, environment, position);
create index event_filtered on event (partner_id, id) where filtered_for is not null;
-- The last events of a type, which a change of its schema is checked against (behaviour W26).
create index event_of_type on event (type, id);

-- Producer ids, to detect duplicates. A unique index of a partitioned table must include the id, so they
-- have their own table. Rows are kept as long as their events.
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

-- One event for one endpoint, which may have been deleted. Foreign keys of events, deliveries and
-- attempts would cost about a fifth of the inserts and a seventh of the recording. An event is only written with
-- the publish lock, after its partner was read, and deliveries with their event. An attempt is only written by
-- the statement that changes its delivery. The history of a partner is deleted before the partner
-- (webhooks/history/store.ts).
create table delivery (
  id uuid primary key,
  event_id uuid not null,
  event_type text not null,
  partner_id uuid not null,
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
  -- How the last attempt of a delivery ended, for the filters of deliveries (behaviour W29). Null: it had
  -- no answer, or no error.
  last_status_code integer,
  last_reason text,
  -- `covered`: checkpoints of the endpoint count it (behaviour W77). `checkpoint`: it delivers a checkpoint. Null: the
  -- endpoint had no checkpoints when the event was published.
  proof text check (proof in ('covered', 'checkpoint')),
  -- The batch that it is in (behaviour W70). Null: it is sent alone, or its batch is not formed yet. Without an index,
  -- so that a batch is formed by updates in place.
  batch_id uuid,
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'pending') = (completed_at is null))
) partition by range (id);

-- The queue. It has pending deliveries only, so it stays small.
create index delivery_due on delivery (endpoint_id, next_attempt_at) where status = 'pending';
create index delivery_of_partner on delivery (partner_id, id);
-- Starts with the partner, so the planner cannot choose it for queries of the queue, which have no
-- partner.
create index delivery_of_endpoint on delivery (partner_id, endpoint_id, id);
create index delivery_undelivered on delivery (partner_id, status, id) where status <> 'delivered';
-- What is pending on the whole platform, the oldest first.
create index delivery_pending on delivery (id) where status = 'pending';
-- Indexes of values that few deliveries have. A live delivery that its first attempt delivers is in none
-- of these indexes, so it does not pay for them.
create index delivery_by_status_code on delivery (partner_id, last_status_code, id)
  where last_status_code not between 200 and 299;
create index delivery_by_reason on delivery (partner_id, last_reason, id) where last_reason is not null;
create index delivery_by_attempts on delivery (partner_id, attempt_count, id) where attempt_count > 1;
create index delivery_sandbox on delivery (partner_id, id) where environment = 'sandbox';
-- A strict endpoint sends the first delivery that is not held.
create index delivery_in_order on delivery (endpoint_id, position)
  where status = 'pending' and next_attempt_at < 'infinity';
-- Empty, except after a restore.
create index delivery_held on delivery (endpoint_id, position)
  where status = 'pending' and next_attempt_at = 'infinity';

-- What checkpoints count, and the last checkpoint of an endpoint.
create index delivery_proof on delivery (endpoint_id, proof, position) where proof is not null;

-- Each try to deliver a delivery.
create table attempt (
  delivery_id uuid not null,
  number integer not null check (number > 0),
  started_at moment not null,
  duration_ms integer not null check (duration_ms >= 0),
  status_code integer,
  error text,
  response_body text,
  -- What the request of an attempt cannot be rebuilt from later. Null: no request was signed.
  url text,
  -- The `created` of the signature, in Unix seconds.
  created bigint,
  key_id text,
  signature bytea,
  -- The event was sent without its data (behaviour W76).
  thin boolean not null default false,
  -- The batch that was sent. Null: the delivery was sent alone.
  batch_id uuid,
  primary key (delivery_id, number),
  constraint attempt_signed check (num_nulls(url, created, key_id, signature) in (0, 4))
) partition by range (delivery_id);

-- Deliveries that are sent in one request (behaviour W70). Written before the first attempt, and never changed: each
-- attempt of a batch has the same bytes. Its week is that of its id, so it is kept as long as its deliveries.
create table delivery_batch (
  id uuid primary key,
  partner_id uuid not null,
  -- In the order in which they are sent.
  delivery_ids uuid[] not null check (cardinality(delivery_ids) between 1 and 100)
) partition by range (id);

create index delivery_batch_of_partner on delivery_batch (partner_id);

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
  -- The platform's partner has an event about this series (behaviour W66).
  failing_announced boolean not null default false,
  check (not failing_announced or failing_since is not null),
  check (owner is null or next_at < 'infinity')
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create index lane_next_at on lane (next_at) where next_at < 'infinity';
-- The endpoints that operators look at first.
create index lane_failing on lane (failing_since) where failing_since is not null;
create index lane_to_announce on lane (failing_since) where failing_since is not null and not failing_announced;

-- Deleted endpoints with more pending deliveries than one transaction cancels. A task cancels the rest.
create table cancellation (endpoint_id uuid primary key);

-- Requests that wait for the answer of a listener. They are kept as long as an attempt lasts: after a crash the table is
-- empty, and the attempts are made again.
create unlogged table listener_request (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoint (id) on delete cascade,
  -- Of the first event, if it is a batch.
  delivery_id uuid not null,
  event_id uuid not null,
  batch_id uuid,
  attempt integer not null,
  url text not null,
  -- {name: value}, as it is signed and sent.
  headers jsonb not null,
  -- The body is the event without its data.
  thin boolean not null,
  ends_at moment not null,
  -- The stream that has sent it last.
  stream uuid,
  answer jsonb
);

create index listener_request_endpoint on listener_request (endpoint_id, id);
