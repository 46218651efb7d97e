-- Up Migration

-- Sign-ups that wait for e-mail verification. Each link creates the account with the password of its own sign-up. So a stranger
-- who signs up with the same address cannot set the password.
create table auth.pending_sign_up (
  token_hash bytea primary key,
  email text not null,
  name text not null,
  password text not null,
  created_at timestamptz not null default concord_now(),
  expires_at timestamptz not null
);
create index pending_sign_up_email on auth.pending_sign_up (email);

-- Links in mails, signed by better-auth. Each works once and only for its user.
create table auth.mail_link (
  token_hash bytea primary key,
  user_id text not null references auth."user" (id) on delete cascade,
  expires_at timestamptz not null
);

-- Deletes what a user began before a change of the password, the address or the second factor: challenges, trusted devices, reset tokens.
create function auth.end_what_was_begun(ended text, kinds text[]) returns void language sql as $$
  delete from auth.verification
  where value = ended and exists (select from unnest(kinds) as kind where starts_with(identifier, kind))
$$;
create function auth.password_changed() returns trigger language plpgsql as $$
begin
  perform auth.end_what_was_begun(new.user_id, array['2fa-', 'trust-device-', 'reset-password:']);
  return null;
end $$;
create trigger password_changed after update of password on auth.account
  for each row when (old.password is distinct from new.password) execute function auth.password_changed();

create function auth.email_changed() returns trigger language plpgsql as $$
begin
  perform auth.end_what_was_begun(new.id, array['2fa-', 'trust-device-', 'reset-password:']);
  return null;
end $$;
create trigger email_changed after update of email on auth."user"
  for each row when (old.email is distinct from new.email) execute function auth.email_changed();

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
  end if;
  return null;
end $$;

-- A session cannot have a proof of the second factor while its user has none.
create function auth.no_proof_without_second_factor() returns trigger language plpgsql as $$
begin
  if not exists (select from auth."user" where id = new.user_id and two_factor_enabled) then
    new.mfa_verified_at := null;
  end if;
  return new;
end $$;
create trigger no_proof_without_second_factor before insert or update of mfa_verified_at on auth.session
  for each row when (new.mfa_verified_at is not null) execute function auth.no_proof_without_second_factor();
