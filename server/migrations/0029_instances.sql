-- Up Migration

-- The running instances. Each writes its sign of life every few seconds, and deletes its row when it stops.
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
