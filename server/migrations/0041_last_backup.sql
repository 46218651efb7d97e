-- Up Migration

-- The last complete backup, so that an alert can say that none was made for a long time. One row, none before the first backup.
create table last_backup (
  id boolean primary key default true check (id),
  -- The time whose state the backup has.
  taken_at moment not null
);
