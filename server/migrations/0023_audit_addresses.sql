-- Up Migration

-- The network address of a sign-in. It is personal data, so it is kept where it can be erased.
alter table audit_person add column address text;
