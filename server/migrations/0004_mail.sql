-- Up Migration

-- Mail on its way: enqueued in the transaction that has a reason for it, sent by a leased worker, deleted when it is sent.
create table mail (
  id uuid primary key,
  -- {to, subject, text, html}, sealed: it can hold links that let someone in.
  sealed bytea not null,
  created_at moment not null default concord_now(),
  attempts integer not null default 0,
  -- Due at, or the end of the lease of who is sending it.
  next_at timestamptz not null default concord_now(),
  last_error text
);
create index mail_next_at on mail (next_at);
