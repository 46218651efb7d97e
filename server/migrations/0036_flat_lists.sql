-- Up Migration

-- Users by name, page by page.
create index user_name on auth."user" (name, id);

-- With its count, so that statistics of many hours read the index only: the rows of one partner are far apart in the table.
alter table delivery_hour drop constraint delivery_hour_pkey;
alter table delivery_hour add primary key (partner_id, endpoint_id, at, outcome, bucket) include (count);
-- A read of the index only needs pages that were vacuumed since their last change.
alter table delivery_hour set (autovacuum_vacuum_insert_scale_factor = 0.02);
