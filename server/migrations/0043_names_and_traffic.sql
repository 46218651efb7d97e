-- Up Migration

-- Finds audit rows by the e-mail address of their actor or target. A subject that is an address is a key already, and so is the address
-- of an account. Others have their key beside them.
create index audit_person_email on audit_person (
  (coalesce(personal ->> 'email_key', case when subject like '%@%' then subject else personal ->> 'email' end)), part, position)
  where personal ? 'email';

-- Answered requests and published events of all instances, by the minute, and after a week by the hour.
create table traffic (
  at timestamptz primary key,
  requests bigint not null check (requests >= 0),
  client_errors bigint not null check (client_errors >= 0),
  server_errors bigint not null check (server_errors >= 0),
  events bigint not null check (events >= 0)
) with (fillfactor = 80);

-- The endpoints that operators look at first.
create index lane_failing on lane (failing_since) where failing_since is not null;
create index webhook_endpoint_disabled on webhook_endpoint (disabled_at) where status = 'disabled';
