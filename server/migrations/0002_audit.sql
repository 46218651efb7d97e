-- The audit log, its personal values beside it, and its seals.

-- Each row is written in the transaction of its change. Rows outlive the objects they
-- describe, so it has no foreign key.
create table audit_log (
  position bigint generated always as identity primary key,
  at moment not null default concord_now(),
  request_id text not null,
  actor_id text not null,
  credential text not null,
  partner_id uuid,
  action text not null,
  target text,
  -- intended: an account change starts, and a second row says done or failed. denied: a member lacked the
  -- permission.
  outcome text not null check (outcome in ('done', 'intended', 'failed', 'denied')),
  details jsonb not null default '{}',
  -- The kind of the actor when the row was written: roles change later.
  actor_kind text not null
    check (actor_kind in ('person', 'service_account', 'operator', 'connection', 'command', 'task', 'nobody')),
  -- The members that changed: {"member": {"before": ..., "after": ...}}.
  changes jsonb not null default '{}',
  -- SHA-256 over the salt, the subject and the values in audit_person. They stay when the values are
  -- erased.
  address_commitment bytea,
  person_commitment bytea
);

create index audit_log_partner on audit_log (partner_id, position);
-- For the filters of the lists. In the log of one partner the time of a filter by a person must not tell how
-- busy the person is elsewhere.
create index audit_log_actor on audit_log (actor_id, position);
create index audit_log_partner_actor on audit_log (partner_id, actor_id, position);
create index audit_log_action on audit_log (action, position);
create index audit_log_target on audit_log (target, position);
create index audit_log_partner_target on audit_log (partner_id, target, position);
create index audit_log_not_done on audit_log (outcome, position) where outcome <> 'done';
create index audit_log_at on audit_log (at);

-- Nobody changes a row. The retention deletes rows that a dropped seal covers, and says which seal that is.
create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (
    select from audit_seal where id = nullif(current_setting('concord.dropped_seal', true), '')::bigint
      and dropped_at is not null and old.position = any (positions)) then
    return old;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'CC003';
end $$;
create trigger audit_is_append_only before update or delete on audit_log
  for each row execute function audit_is_append_only();
create trigger audit_is_not_emptied before truncate on audit_log
  for each statement execute function audit_is_append_only();

-- Personal values of audit rows. They are erased by deleting rows here: the audit row keeps its
-- commitment to them.
create table audit_person (
  position bigint not null,
  -- That of the audit row.
  partner_id uuid,
  -- address: the network address of the actor. person: values about the subject.
  part text not null check (part in ('address', 'person')),
  -- Whom the values are about: the id of a user, a partner, or an e-mail address that no user has proven.
  subject text not null,
  salt bytea not null default uuid_send(gen_random_uuid()),
  personal jsonb not null,
  constraint audit_person_key primary key (position, part),
  foreign key (position) references audit_log (position) on delete cascade
);

create index audit_person_subject on audit_person (subject, position);
-- Finds audit rows by the e-mail address of their actor or target. A subject that is an address is a key
-- already, and so is the address of an account. Others have their key beside them.
create index audit_person_email on audit_person (
  (coalesce(personal ->> 'email_key', case when subject like '%@%' then subject else personal ->> 'email' end)),
  part, position)
  where personal ? 'email';
create index audit_person_partner_email on audit_person (
  partner_id,
  (coalesce(personal ->> 'email_key', case when subject like '%@%' then subject else personal ->> 'email' end)),
  part, position)
  where personal ? 'email' and partner_id is not null;

-- The rows that no seal covers yet. Each statement that inserts an audit row inserts its position here
-- too.
create table audit_unsealed (position bigint primary key);

-- A seal covers the rows of these positions, and the seal before it.
create table audit_seal (
  id bigint primary key check (id > 0),
  positions bigint[] not null check (cardinality(positions) > 0),
  -- 16 bytes for each position.
  row_macs bytea not null check (length(row_macs) = 16 * cardinality(positions)),
  mac bytea not null,
  -- The version of CONCORD_SECRETS that the key of the seal is derived from.
  secret_version integer not null,
  sealed_at moment not null,
  -- Set when the retention drops the rows. The MAC proves that Concord did it.
  dropped_at moment,
  dropped_mac bytea,
  check ((dropped_at is null) = (dropped_mac is null))
);

create index audit_seal_kept on audit_seal (id) where dropped_at is null;

-- Nobody changes a seal, but the retention may mark it.
create function audit_seal_is_final() returns trigger language plpgsql as $$
begin
  -- The retention marks a seal, once.
  if tg_op = 'UPDATE' and old.dropped_at is null
    and (new.id, new.positions, new.row_macs, new.mac, new.secret_version, new.sealed_at)
      is not distinct from (old.id, old.positions, old.row_macs, old.mac, old.secret_version, old.sealed_at) then
    return new;
  end if;
  raise exception 'a seal of the audit log is final' using errcode = 'CC003';
end $$;
create trigger audit_seal_is_final before update or delete on audit_seal
  for each row execute function audit_seal_is_final();
create trigger audit_seals_are_not_emptied before truncate on audit_seal
  for each statement execute function audit_seal_is_final();

-- Subjects whose values in audit_person are being deleted, batch by batch. From its row on, nobody reads
-- these values any more.
create table audit_erasure (
  subject text primary key,
  -- Until then, requests in flight can still write values about a deleted user.
  until moment not null
);
