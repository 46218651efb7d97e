-- Up Migration

lock table replay in access exclusive mode;

-- A replay starts new rounds (`replay`), or sends now what waits for a retry (`send_now`). A filter of the latter always has the status
-- `pending`: a version before this one takes it for a replay, which replays no pending delivery.
alter table replay
  add column action text not null default 'replay' check (action in ('replay', 'send_now')),
  -- How many deliveries matched when it was requested. Null: not all were counted, or it is a recovery.
  add column matching integer,
  -- Somebody stopped it before its end.
  add column stopped boolean not null default false,
  add check (action = 'replay' or filter ->> 'status' is not distinct from 'pending'),
  add check (not stopped or completed_at is not null);
-- One running replay for each partner, beside the recoveries of its endpoints.
drop index replay_running;
create unique index replay_running on replay (partner_id) where completed_at is null and endpoint_id is null and action = 'replay';
-- One that sends now for each endpoint, and one for all others.
create unique index send_now_running on replay (partner_id, coalesce(filter ->> 'endpoint_id', '')) where completed_at is null and action = 'send_now';
