-- Up Migration

-- A replay starts a new round for each delivery that matches a filter. It runs in steps, and each step commits its progress. A
-- recovery is a replay too: its filter is the failed deliveries of an endpoint in a period.
alter table recovery rename to replay;
alter index recovery_pkey rename to replay_pkey;
alter index recovery_of_endpoint rename to replay_of_endpoint;
alter table replay
  add column partner_id uuid references partner (id) on delete cascade,
  -- As the client wrote it. Null: a recovery.
  add column filter jsonb,
  add column examined integer not null default 0,
  add column skipped integer not null default 0,
  alter column endpoint_id drop not null,
  alter column since drop not null,
  alter column until drop not null,
  alter column total drop not null;
update replay set partner_id = endpoint.partner_id from webhook_endpoint endpoint where endpoint.id = replay.endpoint_id;
alter table replay
  alter column partner_id set not null,
  add check (num_nulls(endpoint_id, since, until, total) = case when filter is null then 0 else 4 end);
create index replay_of_partner on replay (partner_id, id);
-- One running replay for each partner, beside the recoveries of its endpoints.
create unique index replay_running on replay (partner_id) where completed_at is null and endpoint_id is null;
