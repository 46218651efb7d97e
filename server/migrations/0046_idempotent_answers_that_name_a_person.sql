-- Up Migration

-- The route declares whether its answers name a person. The deletion of the person blanks them.
alter table idempotent_answer add column names_person boolean not null default false;
