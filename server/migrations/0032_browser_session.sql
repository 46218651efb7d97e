-- Up Migration
-- The session of a browser gets a new token at some moments. The old one is a row of its own for ten more seconds, for requests that are
-- under way. This row has no fresh proof, so it can change nothing that needs one.
alter table auth.session
  add column replaced_by text references auth.session (id) on delete cascade,
  add constraint session_replaced_is_weak
    check (replaced_by is null or (proven_at = '-infinity' and expires_at <= created_at + interval '10 seconds'));
create index session_replaced_by on auth.session (replaced_by) where replaced_by is not null;

-- The result of a sign-in with a provider waits here until the console, in the browser that began, asks for it with a code.
create table auth.provider_code (
  code_hash bytea primary key,
  -- The hash of a cookie of that browser.
  browser_hash bytea not null,
  user_id text not null references auth."user" (id) on delete cascade,
  -- The tokens of the answer, sealed.
  answer bytea not null,
  expires_at timestamptz not null
);
create index provider_code_user_id on auth.provider_code (user_id);
