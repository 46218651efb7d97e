-- Up Migration

lock table replay in access exclusive mode;

-- A recovery is a replay whose filter names an endpoint, the status `failed` and a period.
delete from replay where filter is null;
drop index replay_of_endpoint;
drop index replay_running;
drop index send_now_running;
-- This drops the check of these columns too.
alter table replay
  drop column endpoint_id,
  drop column since,
  drop column until,
  drop column total,
  drop column examined,
  alter column filter set not null;
-- How many deliveries matched when it was requested. Null: not all were counted.
alter table replay rename column matching to total;
-- One of each action runs for each endpoint that a filter names, and one for all others.
create unique index replay_running on replay (partner_id, action, coalesce(filter ->> 'endpoint_id', '')) where completed_at is null;
