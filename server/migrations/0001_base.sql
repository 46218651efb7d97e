-- What every feature uses: the clock, ids, and the tables of base/.

-- The database's clock, shared by all instances. Tests replace the function to set the time. It costs
-- little: PostgreSQL inlines it. In whole milliseconds: a column would round others up, and what ends now would
-- end later.
create function concord_now() returns timestamptz language sql stable as $$ select date_trunc('milliseconds', now()) $$;

-- Timestamps have milliseconds, as in the API.
create domain moment as timestamptz(3);

-- The smallest UUIDv7 of a time: the start of an id range. Times before 1970 count as 1970.
create function first_id_of(at timestamptz) returns uuid language sql immutable strict as $$
  select (lpad(to_hex(greatest(0, floor(extract(epoch from at) * 1000))::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- When each task is due. An instance that runs a task locks its row, so one instance runs it.
create table scheduled_task (
  name text primary key,
  next_at timestamptz not null default '-infinity'
);

-- One row for each version of CONCORD_SECRETS that this database has seen. An instance with different
-- secrets refuses to start.
create table secret_check (
  version integer primary key,
  check_value bytea not null
);

-- Stored answers of idempotent requests (Idempotency-Key), written in the transaction of their effect.
create table idempotent_answer (
  principal_id text not null,
  method text not null,
  path text not null,
  key text not null,
  body_hash bytea not null,
  -- The route declares that its answers name a person. The deletion of the person blanks them.
  names_person boolean not null default false,
  status smallint not null,
  headers jsonb not null,
  body text not null,
  created_at moment not null default concord_now(),
  primary key (principal_id, key, method, path)
);

create index idempotent_answer_created_at on idempotent_answer (created_at);
create index idempotent_answer_names_person on idempotent_answer (created_at) where names_person;
create index idempotent_answer_principal on idempotent_answer (principal_id);

-- The outbox: a mail is inserted in the transaction that causes it, sent under a lease, then deleted.
create table mail (
  id uuid primary key,
  -- {to, subject, text, html}, sealed because it can have links that give access.
  sealed bytea not null,
  created_at moment not null default concord_now(),
  attempts integer not null default 0,
  -- When the mail is due; while it is being sent, when the lease ends.
  next_at timestamptz not null default concord_now(),
  last_error text,
  -- Whom a mail goes to: HMACs of the address under a key that is derived from CONCORD_SECRETS.
  recipient bytea,
  -- The domain whose answer about its recipient delays a mail: an HMAC under the key of `recipient`.
  -- Null: it is not delayed by such an answer.
  refusing_domain bytea
);

create index mail_next_at on mail (next_at);
create index mail_recipient on mail (recipient);

-- The requests of each credential and address in its window, for all instances (rule L9). Without a log, since a
-- window lasts seconds: it is empty after a crash of the database, and on a replica that was promoted.
create unlogged table request_window (
  -- A hash (SHA-256, base64url).
  key text primary key check (char_length(key) = 43),
  ends_at moment not null,
  requests integer not null
) with (fillfactor = 50);

create index request_window_end on request_window (ends_at);

-- Uses of quotas of all instances, such as guesses at secrets and mails (rules L6, L7). They survive crashes.
create table guard_count (
  -- The name of the quota, and a hash (SHA-256, base64url).
  key text primary key check (char_length(key) <= 100),
  ends_at moment not null,
  requests integer not null
);

create index guard_count_end on guard_count (ends_at);

-- The latest time that the clock of the database has shown, as of the last look (rule O65). One row,
-- which the first look writes.
create table clock_mark (
  only_row boolean primary key default true check (only_row),
  latest moment not null,
  -- When the clock was first seen behind it. Null: it was not.
  noticed_at moment
);

-- The last complete backup, so that an alert can say that none was made for a long time. One row, none
-- before the first backup.
create table last_backup (
  only_row boolean primary key default true check (only_row),
  -- The time whose state the backup has.
  taken_at moment not null
);
