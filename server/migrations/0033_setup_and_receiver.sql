-- Up Migration

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

-- The setup of the installation: one row. It is complete when an operator has signed in, however that was done.
create table setup (
  id boolean primary key default true check (id),
  -- Of the link that the last start printed.
  token_hash bytea check (octet_length(token_hash) = 32),
  expires_at moment,
  completed_at moment,
  check ((token_hash is null) = (expires_at is null)),
  check (completed_at is null or token_hash is null)
);
-- An installation with an operator is older than this link, and needs none.
insert into setup (completed_at) select case when exists (select from auth."user" where role = 'operator') then concord_now() end;

create function end_setup() returns trigger language plpgsql as $$
begin
  if exists (select from auth."user" where id = new.user_id and role = 'operator') then
    update setup set completed_at = concord_now(), token_hash = null, expires_at = null where completed_at is null;
  end if;
  return null;
end $$;
-- After the foreign key has locked the user: the order of these locks is the user, then the setup.
create trigger session_ends_setup after insert on auth.session for each row execute function end_setup();
