-- Up Migration

-- When the user of a session last proved who they are: by signing in, or by a step-up. Older sessions: when they signed in.
alter table auth.session add column proven_at timestamptz;
update auth.session set proven_at = created_at;
alter table auth.session alter column proven_at set default concord_now(), alter column proven_at set not null;

-- A changed role ends the sessions and access tokens of the user: a token with the scope `*` must not become an operator's.
create function auth.role_changed() returns trigger language plpgsql as $$
begin
  delete from auth.session where user_id = new.id;
  delete from access_token where user_id = new.id;
  return null;
end $$;
create trigger role_changed after update of role on auth."user"
  for each row when (coalesce(old.role, 'user') <> coalesce(new.role, 'user')) execute function auth.role_changed();
