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
