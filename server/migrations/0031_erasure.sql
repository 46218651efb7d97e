-- Up Migration

-- Subjects whose values in audit_person are being deleted, batch by batch. From its row on, nobody reads these values any more.
create table audit_erasure (
  subject text primary key,
  -- Until then, requests in flight can still write values about a deleted user.
  until moment not null
);

-- Kept answers that can name a person: those about agreements and users.
create index idempotent_answer_about_people on idempotent_answer (created_at)
  where starts_with(path, '["/partners/:id/agreements') or starts_with(path, '["/users/');
create index idempotent_answer_principal on idempotent_answer (principal_id);

-- What the deletion of a user looks for.
create index verification_value on auth.verification (value);
create index mail_link_email on auth.mail_link (email) where email is not null;
