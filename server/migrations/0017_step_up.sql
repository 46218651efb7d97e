-- Up Migration

-- When the user of a session last proved who they are: by signing in, or by a step-up. A proof counts for ten minutes, so sessions from
-- before have one only if they are that new. A constant default rewrites no row.
alter table auth.session add column proven_at timestamptz not null default '-infinity';
alter table auth.session alter column proven_at set default concord_now();
update auth.session set proven_at = created_at where created_at > concord_now() - interval '10 minutes';

-- A changed role ends the sessions and access tokens of the user: a token with the scope `*` must not become an operator's.
create function auth.role_changed() returns trigger language plpgsql as $$
begin
  delete from auth.session where user_id = new.id;
  delete from access_token where user_id = new.id;
  return null;
end $$;
create trigger role_changed after update of role on auth."user"
  for each row when (coalesce(old.role, 'user') <> coalesce(new.role, 'user')) execute function auth.role_changed();
