-- Up Migration

-- The W3C traceparent of the publish, so that attempts can be linked to it. Null: Concord did not trace.
alter table event add column traceparent text;
