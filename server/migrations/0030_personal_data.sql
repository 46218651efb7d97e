-- Up Migration

-- Whom a mail goes to: HMACs of the address under a key that is derived from CONCORD_SECRETS. Null: an earlier version wrote it.
alter table mail add column recipient bytea;
create index mail_recipient on mail (recipient);

-- The export reads the audit rows about a person in the order of the log.
drop index audit_person_subject;
create index audit_person_subject on audit_person (subject, position);
