-- Up Migration

-- The last complete backup, so that an alert can say that none was made for long. One row, none before the first backup.
create table last_backup (
  id boolean primary key default true check (id),
  -- The moment that it shows.
  taken_at moment not null
);
