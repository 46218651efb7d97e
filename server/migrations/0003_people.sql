-- People, how they sign in, and their tokens. The tables user, session, account, verification and
-- two_factor are better-auth's, as its generator writes them: a test compares them. What is ours is added.
create schema auth;

create table auth."user" (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null,
  image text,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp,
  role text,
  banned boolean,
  ban_reason text,
  ban_expires timestamptz,
  -- Of better-auth's two-factor plug-in, as auth.two_factor.
  two_factor_enabled boolean
);

-- Users by name, page by page.
create index user_name on auth."user" (name, id);
create index user_operator on auth."user" (id) where role = 'operator';

-- Enabling the second factor ends all older sessions. Disabling it removes its proof from sessions and
-- access tokens, and the passkeys. This is a trigger because better-auth updates the user in its own statement.
create function auth.second_factor_changed() returns trigger language plpgsql as $$
begin
  if new.two_factor_enabled is not distinct from old.two_factor_enabled then
    return null;
  end if;
  perform auth.end_what_was_begun(new.id, array['2fa-', 'trust-device-']);
  if new.two_factor_enabled then
    -- The app whose first code enables it. better-auth does so in its last statement, before which a process can die.
    update auth.two_factor set verified = true where user_id = new.id;
    delete from auth.session where user_id = new.id;
  else
    update auth.session set mfa_verified_at = null where user_id = new.id;
    update access_token set mfa_proven = false where user_id = new.id;
    delete from auth.passkey where user_id = new.id;
  end if;
  return null;
end $$;
create trigger second_factor_changed after update of two_factor_enabled on auth."user"
  for each row execute function auth.second_factor_changed();

-- Only operators make operators, so the last active operator cannot be deleted, banned or demoted.
create function auth.keep_an_operator() returns trigger language plpgsql as $$
begin
  -- Serializes removals: when two operators remove each other, the second transaction sees the first.
  perform pg_advisory_xact_lock(hashtextextended('concord last operator', 0));
  if not exists (
    select from auth."user"
    where role = 'operator' and (banned is not true or ban_expires < concord_now())
  ) then
    raise exception 'the last operator stays' using errcode = 'CC001';
  end if;
  return null;
end $$;
create trigger keep_an_operator_deleted after delete on auth."user"
  for each row when (old.role = 'operator') execute function auth.keep_an_operator();
create trigger keep_an_operator_changed after update of role, banned, ban_expires on auth."user"
  for each row when (old.role = 'operator' and old.banned is not true)
  execute function auth.keep_an_operator();

-- A changed address ends what was begun with the old one.
create function auth.email_changed() returns trigger language plpgsql as $$
begin
  perform auth.end_what_was_begun(new.id, array['2fa-', 'trust-device-', 'reset-password:']);
  return null;
end $$;
create trigger email_changed after update of email on auth."user"
  for each row when (old.email is distinct from new.email) execute function auth.email_changed();

-- A changed role ends the sessions and access tokens of the user: a token with the scope `*` must not
-- become an operator's.
create function auth.role_changed() returns trigger language plpgsql as $$
begin
  delete from auth.session where user_id = new.id;
  delete from access_token where user_id = new.id;
  return null;
end $$;
create trigger role_changed after update of role on auth."user"
  for each row when (coalesce(old.role, 'user') <> coalesce(new.role, 'user'))
  execute function auth.role_changed();

create table auth.session (
  id text primary key,
  expires_at timestamptz not null,
  -- SHA-256, hexadecimal (people/better-auth/hashed-tokens.ts).
  token text not null unique,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null,
  ip_address text,
  user_agent text,
  user_id text not null references auth."user" (id) on delete cascade,
  impersonated_by text,
  mfa_verified_at timestamptz,
  -- When the user of a session last proved who they are: by signing in, or by a step-up. A proof counts
  -- for ten minutes.
  proven_at timestamptz not null default concord_now(),
  -- The session of a browser gets a new token at some moments. The old one is a row of its own for ten
  -- more seconds, for requests that are under way. This row has no fresh proof, so it can change nothing
  -- that needs one.
  replaced_by text references auth.session (id) on delete cascade,
  constraint session_token_is_hashed check (length(token) = 64 and token ~ '^[0-9a-f]+$'),
  constraint session_replaced_is_weak
    check (replaced_by is null or (proven_at = '-infinity' and expires_at <= created_at + interval '10 seconds'))
);

create index session_user_id_idx on auth.session (user_id);
create index session_replaced_by on auth.session (replaced_by) where replaced_by is not null;

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

create table auth.account (
  id text primary key,
  account_id text not null,
  provider_id text not null,
  user_id text not null references auth."user" (id) on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null
);

create index account_user_id_idx on auth.account (user_id);
-- Added by us: an account at a provider belongs to one user.
create unique index account_provider_key on auth.account (provider_id, account_id);

-- Changing the password also ends access tokens, unless the user keeps them, and sessions, unless the
-- change is made in a session: that request ends the others itself. It locks the user first, and so does
-- creating a token.
create function auth.password_changed() returns trigger language plpgsql as $$
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
create trigger password_changed after update of password on auth.account
  for each row when (old.password is distinct from new.password) execute function auth.password_changed();
-- The first password of a user who signed in with a provider ends what a changed password ends.
create trigger password_set after insert on auth.account
  for each row when (new.password is not null) execute function auth.password_changed();

-- What waits for its second step: challenges, trusted devices, visits to a provider.
create table auth.verification (
  id text primary key,
  -- A hash. Its prefix stays readable, for the triggers that end what was begun.
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp,
  constraint verification_identifier_is_hashed
    check (length(identifier) >= 64 and identifier ~ '^(2fa-|trust-device-|reset-password:|auth-state:)?[0-9a-f]+$')
);

create index verification_identifier_idx on auth.verification (identifier);
-- What the deletion of a user looks for.
create index verification_value on auth.verification (value);

-- Deletes what a user began before a change of the password, the address or the second factor:
-- challenges, trusted devices, reset tokens.
create function auth.end_what_was_begun(ended text, kinds text[]) returns void language sql as $$
  delete from auth.verification
  where value = ended and exists (select from unnest(kinds) as kind where starts_with(identifier, kind))
$$;

create table auth.two_factor (
  id text primary key,
  secret text not null,
  backup_codes text not null,
  user_id text not null references auth."user" (id) on delete cascade,
  verified boolean,
  failed_verification_count integer,
  locked_until timestamptz
);

-- One row for each user: concurrent enrolments must not leave two secrets.
create unique index two_factor_user_id_idx on auth.two_factor (user_id);

-- A TOTP code, and a challenge of a passkey, work once: only the request that inserts the row may use them.
create table auth.proof_use (
  -- SHA-256: of the user and the code, or of the challenge.
  proof_hash bytea primary key check (octet_length(proof_hash) = 32),
  user_id text not null references auth."user" (id) on delete cascade,
  used_at timestamptz not null default concord_now()
);

create index proof_use_user_id on auth.proof_use (user_id);

-- A passkey is a second factor, and signs in alone when it verifies its user. A user whose only second factors are
-- passkeys has a row of two_factor too, not verified, for the backup codes.
create table auth.passkey (
  id uuid primary key,
  user_id text not null references auth."user" (id) on delete cascade,
  -- The authenticator chose it. It belongs to one user.
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  -- COSE (RFC 9052).
  public_key bytea not null check (octet_length(public_key) <= 4096),
  -- How often the authenticator has signed. 0: it does not count.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null check (char_length(name) between 1 and 100),
  -- The model of the authenticator.
  aaguid uuid not null,
  -- The passkey is kept on several devices of its user.
  backed_up boolean not null,
  created_at moment not null default concord_now(),
  last_used_at moment
);

create index passkey_user_id on auth.passkey (user_id, id);

create function auth.passkey_is_second_factor() returns trigger language plpgsql as $$
begin
  if not exists (select from auth."user" where id = new.user_id and two_factor_enabled) then
    raise exception 'a user with a passkey has a second factor' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger passkey_is_second_factor before insert on auth.passkey
  for each row execute function auth.passkey_is_second_factor();

-- Sign-ups that wait for e-mail verification. Each link creates the account with the password of its own
-- sign-up. So a stranger who signs up with the same address cannot set the password.
create table auth.pending_sign_up (
  token_hash bytea primary key,
  email text not null,
  name text not null,
  password text not null,
  expires_at timestamptz not null
);

create index pending_sign_up_email on auth.pending_sign_up (email);

-- Links in mails. Each works once and only for its user.
create table auth.mail_link (
  token_hash bytea primary key,
  user_id text not null references auth."user" (id) on delete cascade,
  expires_at timestamptz not null,
  purpose text not null check (purpose in ('reset_password', 'change_email', 'delete_user')),
  -- The new address, and the session that asked for it, which can complete the change without the
  -- password.
  email text,
  session_id text,
  constraint mail_link_has_its_change
    check ((purpose = 'change_email') = (email is not null and session_id is not null))
);

create index mail_link_user_id on auth.mail_link (user_id);
create index mail_link_email on auth.mail_link (email) where email is not null;

-- A changed password ends the links of the user, and so does a changed address.
create function auth.password_ends_links() returns trigger language plpgsql as $$
begin
  delete from auth.mail_link where user_id = new.user_id;
  return null;
end $$;
create trigger password_ends_links after update of password on auth.account
  for each row when (old.password is distinct from new.password) execute function auth.password_ends_links();
create trigger password_set_ends_links after insert on auth.account
  for each row when (new.password is not null) execute function auth.password_ends_links();

-- Named after its first use: it ends the links of a user whose row changed.
create function auth.email_ends_links() returns trigger language plpgsql as $$
begin
  delete from auth.mail_link where user_id = new.id;
  return null;
end $$;
create trigger email_ends_links after update of email on auth."user"
  for each row when (old.email is distinct from new.email) execute function auth.email_ends_links();
-- Enabling the second factor ends what was asked for without it, and a ban ends what the user asked for
-- before.
create trigger second_factor_ends_links after update of two_factor_enabled on auth."user"
  for each row when (new.two_factor_enabled and old.two_factor_enabled is not true)
  execute function auth.email_ends_links();
create trigger ban_ends_links after update of banned on auth."user"
  for each row when (new.banned) execute function auth.email_ends_links();

-- Tokens in the mails of invitations. They prove the invited address. The triggers that end them are
-- those of agreement.
create table auth.invitation_token (
  -- SHA-256 of the token.
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  -- No foreign key: when the agreement is gone, the token still says why it does not work.
  agreement_id uuid not null,
  -- The invited address in the form in which users have it. Null when the token has ended.
  email text,
  inviter_id text references auth."user" (id) on delete set null,
  expires_at moment not null,
  -- Why it does not work any more.
  ended text check (ended in ('accepted', 'declined', 'replaced', 'withdrawn')),
  constraint invitation_token_has_its_email check ((ended is null) = (email is not null))
);

-- An invitation has one token that works.
create unique index invitation_token_agreement on auth.invitation_token (agreement_id) where ended is null;
create index invitation_token_inviter on auth.invitation_token (inviter_id) where inviter_id is not null;
create index invitation_token_expires_at on auth.invitation_token (expires_at);

create function auth.end_invitation_token(of_agreement uuid, how text) returns void language sql as $$
  update auth.invitation_token set ended = how, email = null, inviter_id = null
    where agreement_id = of_agreement and ended is null
$$;

-- Every way to accept or delete an invitation ends its token.
create function auth.invitation_answered() returns trigger language plpgsql as $$
begin
  perform auth.end_invitation_token(old.id, case when tg_op = 'UPDATE' then 'accepted' else 'withdrawn' end);
  return null;
end $$;

-- Providers that a user has unlinked. A sign-in with one of them does not link it again; only the user
-- does.
create table auth.unlinked_provider (
  user_id text not null references auth."user" (id) on delete cascade,
  provider_id text not null,
  primary key (user_id, provider_id)
);

-- The result of a sign-in with a provider waits here until the console, in the browser that began, asks
-- for it with a code.
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
  -- The session that created the token had proven the second factor, and the user has not disabled it
  -- since.
  mfa_proven boolean not null,
  expires_at moment not null,
  created_at moment not null default concord_now(),
  -- When a mail warned that the token ends soon. Null: no mail has warned of this end.
  warned_at moment
);

create index access_token_user_id on access_token (user_id, id);
create index access_token_expires_at on access_token (expires_at);
create index access_token_to_warn on access_token (expires_at) where warned_at is null;

-- A new end needs a new warning.
create function forget_warning() returns trigger language plpgsql as $$
begin
  new.warned_at := null;
  return new;
end $$;
create trigger access_token_forgets_warning before update of expires_at on access_token
  for each row when (old.expires_at is distinct from new.expires_at) execute function forget_warning();

-- Programs that ask for an access token (RFC 8628), until somebody answers or they expire. The token follows from
-- the device code, of which only the hash is here, and a key that is not here, so nothing that is stored works as a
-- credential.
create table device_authorization (
  device_code_hash bytea primary key check (octet_length(device_code_hash) = 32),
  -- HMAC: the code is too short for a hash.
  user_code_mac bytea not null unique check (octet_length(user_code_mac) = 32),
  -- What the program calls itself, and where it asked from: shown to whoever has the user code.
  client_name text check (char_length(client_name) <= 100),
  address text not null,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  token_prefix text not null,
  -- The token, once somebody has approved. When it is revoked, nobody can fetch it.
  token_id uuid references access_token (id) on delete cascade,
  denied boolean not null default false,
  -- In seconds: how long the program waits between two questions.
  interval integer not null default 5,
  asked_at timestamptz,
  created_at moment not null default concord_now(),
  expires_at moment not null default concord_now() + interval '15 minutes',
  check (not denied or token_id is null)
);

create index device_authorization_expires_at on device_authorization (expires_at);
create index device_authorization_token on device_authorization (token_id) where token_id is not null;

-- The setup of the installation: one row. It is complete when an operator has signed in, however that was
-- done.
create table setup (
  only_row boolean primary key default true check (only_row),
  -- Of the link that the last start printed.
  token_hash bytea check (octet_length(token_hash) = 32),
  expires_at moment,
  completed_at moment,
  check ((token_hash is null) = (expires_at is null)),
  check (completed_at is null or token_hash is null)
);

-- The first session of an operator completes the setup.
create function end_setup() returns trigger language plpgsql as $$
begin
  if exists (select from auth."user" where id = new.user_id and role = 'operator') then
    update setup set completed_at = concord_now(), token_hash = null, expires_at = null
      where completed_at is null;
  end if;
  return null;
end $$;
-- After the foreign key has locked the user: the order of these locks is the user, then the setup.
create trigger session_ends_setup after insert on auth.session for each row execute function end_setup();

insert into setup default values;
