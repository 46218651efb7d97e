-- Up Migration

-- All tables of this migration, before the work: one that is in use ends the try at once.
lock table delivery in access exclusive mode;

-- After a restore, deliveries and mails that waited in the backup are held until an operator chooses: nobody can know which of them
-- were sent since (behaviour O26). They are due at 'infinity', so nobody sends them. One row while they are held.
create table held_deliveries (
  id boolean primary key default true check (id),
  -- The time of the backup. Replays that are older wait too.
  taken_at moment not null,
  restored_at moment not null default concord_now(),
  -- Null: nobody has chosen yet. A task then works on the choice, and deletes the row at its end.
  choice text check (choice in ('send', 'fail'))
);

-- A strict endpoint sends the first delivery that is not held.
drop index delivery_in_order;
create index delivery_in_order on delivery (endpoint_id, position) where status = 'pending' and next_attempt_at < 'infinity';
-- Empty, except after a restore.
create index delivery_held on delivery (endpoint_id, position) where status = 'pending' and next_attempt_at = 'infinity';

-- A restore calls it in its transaction. It is part of the schema, because a restore fills the schema of the backup.
create function finish_restore(taken timestamptz) returns void language plpgsql as $$
begin
  -- Nobody can know which sessions were ended since the backup.
  delete from auth.session;
  delete from instance;
  update delivery set next_attempt_at = 'infinity' where status = 'pending' and next_attempt_at < 'infinity';
  update mail set next_at = 'infinity';
  update lane set owner = null, next_at = 'infinity', epoch = epoch + 1 where next_at < 'infinity';
  delete from held_deliveries;
  if exists (select from delivery where status = 'pending' and next_attempt_at = 'infinity') or exists (select from mail)
    or exists (select from replay where completed_at is null)
  then
    insert into held_deliveries (taken_at) values (taken);
  end if;
end $$;
