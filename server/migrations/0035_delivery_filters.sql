-- Up Migration

-- All tables of this and the next migration, before the work: one that is in use ends the try at once.
lock table delivery, attempt, delivery_hour in access exclusive mode;
lock table auth."user" in share mode;

-- How the last attempt of a delivery ended, for the filters of deliveries (behaviour W29). Null: it had no answer, or no error.
-- A delivery that an earlier version delivered has null too.
alter table delivery
  add column last_status_code integer,
  add column last_reason text;
update delivery set last_status_code = attempt.status_code, last_reason = split_part(attempt.error, ':', 1)
from attempt
where attempt.delivery_id = delivery.id and attempt.number = delivery.attempt_count
  and (attempt.error is not null or attempt.status_code not between 200 and 299);

-- Indexes of values that few deliveries have. A live delivery that its first attempt delivers is in none of these indexes, so it does not pay for them.
create index delivery_by_status_code on delivery (partner_id, last_status_code, id) where last_status_code not between 200 and 299;
create index delivery_by_reason on delivery (partner_id, last_reason, id) where last_reason is not null;
create index delivery_by_attempts on delivery (partner_id, attempt_count, id) where attempt_count > 1;
create index delivery_sandbox on delivery (partner_id, id) where environment = 'sandbox';
