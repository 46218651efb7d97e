-- Up Migration

-- The outbox: a mail is inserted in the transaction that causes it, sent under a lease, then deleted.
create table mail (
  id uuid primary key,
  -- {to, subject, text, html}, sealed because it can have links that give access.
  sealed bytea not null,
  created_at moment not null default concord_now(),
  attempts integer not null default 0,
  -- When the mail is due; while it is being sent, when the lease ends.
  next_at timestamptz not null default concord_now(),
  last_error text
);
create index mail_next_at on mail (next_at);
