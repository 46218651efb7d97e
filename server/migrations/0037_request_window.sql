-- Up Migration

-- The requests of each credential and address in its window, for all instances (rule L9). Without a log, since a window lasts seconds:
-- it is empty after a crash of the database, and on a replica that was promoted.
create unlogged table request_window (
  -- A hash (SHA-256, base64url).
  key text primary key check (char_length(key) = 43),
  ends_at moment not null,
  requests integer not null
) with (fillfactor = 50);

create index request_window_end on request_window (ends_at);
