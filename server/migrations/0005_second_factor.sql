-- Up Migration

-- Columns and table of better-auth's two-factor plug-in, as its generator writes them.
alter table auth."user" add column two_factor_enabled boolean;
alter table auth.session add column mfa_verified_at timestamptz;

create table auth.two_factor (
  id text primary key,
  secret text not null,
  backup_codes text not null,
  user_id text not null references auth."user" (id) on delete cascade,
  verified boolean,
  failed_verification_count integer,
  locked_until timestamptz
);
create index two_factor_secret_idx on auth.two_factor (secret);
-- One row for each user: concurrent enrolments must not leave two secrets.
create unique index two_factor_user_id_idx on auth.two_factor (user_id);

-- Enabling the second factor ends all older sessions. Disabling it removes its proof from sessions. This is a trigger because
-- better-auth updates the user in its own statement.
create function auth.second_factor_changed() returns trigger language plpgsql as $$
begin
  if new.two_factor_enabled and old.two_factor_enabled is not true then
    delete from auth.session where user_id = new.id;
  elsif new.two_factor_enabled is not true and old.two_factor_enabled then
    update auth.session set mfa_verified_at = null where user_id = new.id;
  end if;
  return null;
end $$;
create trigger second_factor_changed after update of two_factor_enabled on auth."user"
  for each row execute function auth.second_factor_changed();

-- A TOTP code works once: only the request that inserts the row may use it.
create table auth.totp_use (
  user_id text not null references auth."user" (id) on delete cascade,
  code text not null,
  used_at timestamptz not null default concord_now(),
  primary key (user_id, code)
);

-- Counters of guesses at secrets, in rate-limiter-flexible's table. All instances share them, and they survive restarts.
create table guard_count (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index guard_count_expire on guard_count (expire);

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
  for each row when (old.role = 'operator' and old.banned is not true) execute function auth.keep_an_operator();
