-- Up Migration

-- The network address of a sign-in. It is personal data, so it is kept where it can be erased.
alter table audit_person add column address text;

-- Providers that a user has unlinked. A sign-in with one of them does not link it again; only the user does.
create table auth.unlinked_provider (
  user_id text not null references auth."user" (id) on delete cascade,
  provider_id text not null,
  primary key (user_id, provider_id)
);
