-- Up Migration

-- Attempts by endpoint, minute, outcome and latency, counted in the transaction that records their results (behaviour N2).
create table delivery_minute (
  partner_id uuid not null,
  endpoint_id uuid not null,
  -- The beginning of the minute in which the attempt began.
  at timestamptz not null,
  -- `delivered`, or why the attempt failed.
  outcome text not null check (char_length(outcome) between 1 and 30),
  -- A bucket of the latency (server/src/statistics/latency.ts). -1: there was no answer.
  bucket smallint not null check (bucket between -1 and 199),
  count bigint not null check (count > 0),
  primary key (partner_id, endpoint_id, at, outcome, bucket)
) with (fillfactor = 80);
create index delivery_minute_at on delivery_minute (at);

-- The sums of whole hours: for an endpoint; for a partner, with the endpoint 0; and for everyone, with the partner 0 too.
create table delivery_hour (
  partner_id uuid not null,
  endpoint_id uuid not null,
  at timestamptz not null,
  outcome text not null,
  bucket smallint not null,
  count bigint not null check (count > 0),
  primary key (partner_id, endpoint_id, at, outcome, bucket)
);
create index delivery_hour_at on delivery_hour (at);

-- Attempts of the hours before this time are in both tables. Later ones are only in the minutes.
create table delivery_hour_progress (
  only_row boolean primary key default true check (only_row),
  hours_until timestamptz not null
);
insert into delivery_hour_progress (hours_until) values ('-infinity');

-- What is pending on the whole platform, the oldest first.
create index delivery_pending on delivery (id) where status = 'pending';
