-- Up Migration

-- Access tokens of people and of service accounts. Only a hash of the token is stored.
create table access_token (
  id uuid primary key,
  user_id text not null references auth."user" (id) on delete cascade,
  name text not null check (char_length(name) <= 255),
  token_hash bytea not null unique,
  -- The first characters of the token, shown so that people recognize it.
  prefix text not null,
  -- An array of ACL permissions, as in the API. The token has those that its user has too.
  scopes jsonb not null,
  -- Null: all partners of the user.
  partner_ids uuid[],
  -- The session that created the token had proven the second factor, and the user has not disabled it since.
  mfa_proven boolean not null,
  expires_at moment not null,
  created_at moment not null default concord_now()
);
create index access_token_user_id on access_token (user_id, id);
create index access_token_expires_at on access_token (expires_at);

create or replace function auth.second_factor_changed() returns trigger language plpgsql as $$
begin
  if new.two_factor_enabled is not distinct from old.two_factor_enabled then
    return null;
  end if;
  perform auth.end_what_was_begun(new.id, array['2fa-', 'trust-device-']);
  if new.two_factor_enabled then
    delete from auth.session where user_id = new.id;
  else
    update auth.session set mfa_verified_at = null where user_id = new.id;
    update access_token set mfa_proven = false where user_id = new.id;
  end if;
  return null;
end $$;

-- Changing the password also ends access tokens, unless the user keeps them, and sessions, unless the change is made in a session:
-- that request ends the others itself. It locks the user first, and so does creating a token.
create or replace function auth.password_changed() returns trigger language plpgsql as $$
begin
  perform from auth."user" where id = new.user_id for no key update;
  perform auth.end_what_was_begun(new.user_id, array['2fa-', 'trust-device-', 'reset-password:']);
  if current_setting('concord.keep_access_tokens', true) is distinct from 'on' then
    delete from access_token where user_id = new.user_id;
  end if;
  if current_setting('concord.in_session', true) is distinct from 'on' then
    delete from auth.session where user_id = new.user_id;
  end if;
  return null;
end $$;
