-- Up Migration

-- The latest time that the clock of the database has shown, as of the last look (rule O65). One row, which the first look writes.
create table clock_mark (
  singleton boolean primary key default true check (singleton),
  latest moment not null,
  -- When the clock was first seen behind it. Null: it was not.
  noticed_at moment
);
