-- Up Migration

-- Personal data of audit rows. It is in its own table so that it can be erased without changing an audit row.
create table audit_person (
  id uuid primary key,
  email text
);

-- The audit log: each row is written in the transaction of its change. Rows outlive the objects they describe, so the only foreign
-- key is the person.
create table audit_log (
  position bigint generated always as identity primary key,
  at moment not null default concord_now(),
  request_id text not null,
  actor_id text not null,
  credential text not null,
  partner_id uuid,
  action text not null,
  target text,
  -- intended: an account change starts, and a second row says done or failed. denied: a member lacked the permission.
  outcome text not null check (outcome in ('done', 'intended', 'failed', 'denied')),
  details jsonb not null default '{}',
  person_id uuid references audit_person (id)
);
create index audit_log_partner on audit_log (partner_id, position);

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'CC003';
end $$;
create trigger audit_is_append_only before update or delete on audit_log
  for each row execute function audit_is_append_only();
create trigger audit_is_not_emptied before truncate on audit_log
  for each statement execute function audit_is_append_only();
