-- Up Migration

-- Names of permission groups are unique in a partner, and differ from those of managed groups (behaviour A13). Two names are the same
-- when their keys are equal.
create function group_name_key(name text) returns text language sql immutable strict parallel safe
  return lower(normalize(name, nfc) collate "pg_c_utf8");

-- Older names can have control characters, invisible characters, and white space at their ends, or be empty.
update permission_group set name = cleaned.name, updated_at = greatest(concord_now(), updated_at + interval '1 millisecond')
from (
  select id, coalesce(nullif(btrim(regexp_replace(name,
    '[\u0001-\u0020\u007f-\u00a0\u00ad\u0600-\u0605\u061c\u06dd\u070f\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\ufffb]+',
    ' ', 'g')), ''), 'Group') as name
  from permission_group where partner_id is not null
) as cleaned
where cleaned.id = permission_group.id and cleaned.name <> permission_group.name;

-- The oldest group of a name keeps it, unless a managed group has it. The others become `Name (2)`, `Name (3)`, and so on.
create index permission_group_name_draft on permission_group (account_id, group_name_key(name));
do $$
declare
  repeated record;
  last_account uuid;
  last_key text;
  candidate text;
  number int;
begin
  for repeated in
    select id, account_id, name, group_name_key(name) as key from (
      select *, row_number() over (partition by account_id, group_name_key(name) order by created_at, id) as place
      from permission_group where partner_id is not null
    ) as numbered
    where place > 1 or group_name_key(name) in ('administrator', 'editor', 'viewer', 'integrator')
    order by account_id, group_name_key(name), place
  loop
    if (repeated.account_id, repeated.key) is distinct from (last_account, last_key) then
      number := 1;
    end if;
    last_account := repeated.account_id;
    last_key := repeated.key;
    loop
      number := number + 1;
      -- A name has at most 255 characters.
      candidate := left(repeated.name, 240) || ' (' || number || ')';
      exit when not exists (
        select from permission_group where account_id = repeated.account_id and group_name_key(name) = group_name_key(candidate));
    end loop;
    update permission_group set name = candidate, updated_at = greatest(concord_now(), updated_at + interval '1 millisecond')
    where id = repeated.id;
  end loop;
end $$;
drop index permission_group_name_draft;

create unique index permission_group_name on permission_group (account_id, group_name_key(name));
-- A migration that adds a managed group adds its name here, and renames the custom groups that have it.
alter table permission_group
  add constraint permission_group_name_not_managed
    check (partner_id is null or group_name_key(name) not in ('administrator', 'editor', 'viewer', 'integrator')),
  add constraint permission_group_name_not_empty check (name <> '');
