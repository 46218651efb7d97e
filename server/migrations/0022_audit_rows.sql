-- Up Migration

alter table audit_log disable trigger audit_is_append_only;
-- For large logs: each row is updated once, with joins, and indexes are built afterwards.
drop index audit_log_partner;
alter table audit_log
  -- The kind of the actor when the row was written: roles change later.
  add column actor_kind text not null default 'person'
    check (actor_kind in ('person', 'service_account', 'operator', 'command', 'task', 'nobody')),
  -- The members that changed: {"member": {"before": ..., "after": ...}}.
  add column changes jsonb not null default '{}',
  -- SHA-256 over the salt, the subject and the values in audit_person. They stay when the values are erased.
  add column address_commitment bytea,
  add column person_commitment bytea;
alter table audit_log alter column actor_kind drop default;

-- Personal values of audit rows. They are erased by deleting rows here: the audit row keeps its commitment to them.
alter table audit_person rename to audit_person_old;
create table audit_person (
  position bigint not null,
  -- address: the network address of the actor. person: values about the subject.
  part text not null check (part in ('address', 'person')),
  -- Whom the values are about: the id of a user, a partner, or an e-mail address that no user has proven.
  subject text not null,
  salt bytea not null default uuid_send(gen_random_uuid()),
  personal jsonb not null
);

insert into audit_person (position, part, subject, personal)
select position, part, subject, personal
from audit_log join audit_person_old old on old.id = person_id,
  lateral (values ('address', coalesce(target, actor_id), jsonb_build_object('address', old.address), old.address),
                  ('person', lower(old.email), jsonb_build_object('email', old.email), old.email)) as given (part, subject, personal, value)
where value is not null;
alter table audit_person add constraint audit_person_key primary key (position, part);
analyze audit_person;

with actors as materialized (
  select actor_id, case
    when exists (select from service_account where user_id = actor_id) then 'service_account'
    when exists (select from auth."user" where id = actor_id and role = 'operator') then 'operator'
    else 'person' end as kind
  from (select distinct actor_id from audit_log) as each),
commitments as materialized (
  select position, (array_agg(hash) filter (where part = 'address'))[1] as address, (array_agg(hash) filter (where part = 'person'))[1] as person
  from (select position, part, sha256(salt || convert_to(jsonb_build_array(subject, personal)::text, 'UTF8')) as hash from audit_person) as each
  group by position)
update audit_log set
  actor_kind = case
    when audit_log.credential like 'task %' then 'task'
    when audit_log.credential like 'command %' then 'command'
    when audit_log.credential like 'none %' then 'nobody'
    else actors.kind end,
  address_commitment = commitments.address,
  person_commitment = commitments.person
from audit_log as same join actors using (actor_id) left join commitments using (position)
where same.position = audit_log.position;
alter table audit_log drop column person_id;
drop table audit_person_old;
alter table audit_person add foreign key (position) references audit_log (position) on delete cascade;
create index audit_person_subject on audit_person (subject);
create index audit_log_partner on audit_log (partner_id, position);
alter table audit_log enable trigger audit_is_append_only;

-- The rows that no seal covers yet. Each statement that inserts an audit row inserts its position here too.
create table audit_unsealed (position bigint primary key);
insert into audit_unsealed select position from audit_log;

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

-- The retention deletes rows that a dropped seal covers, and says which seal that is.
create or replace function audit_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (
    select from audit_seal where id = nullif(current_setting('concord.dropped_seal', true), '')::bigint
      and dropped_at is not null and old.position = any (positions)) then
    return old;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'CC003';
end $$;

-- For the filters of the lists. A list of one partner also has the index by partner.
create index audit_log_actor on audit_log (actor_id, position);
create index audit_log_action on audit_log (action, position);
create index audit_log_target on audit_log (target, position);
create index audit_log_not_done on audit_log (outcome, position) where outcome <> 'done';
create index audit_log_at on audit_log (at);
