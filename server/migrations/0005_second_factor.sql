-- Up Migration

-- The two-factor plug-in's columns and table, as better-auth's generator writes them for accounts/better-auth.ts.
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
-- One for each user: two enrolments at once must not leave two secrets.
create unique index two_factor_user_id_idx on auth.two_factor (user_id);

-- Sessions from before the second factor was enabled die with its enabling; proof of it dies with its disabling. Here and not
-- in the program, because better-auth changes the user in a statement of its own.
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

-- A TOTP code is used once: who inserts the row may use it.
create table auth.totp_use (
  user_id text not null references auth."user" (id) on delete cascade,
  code text not null,
  used_at timestamptz not null default concord_now(),
  primary key (user_id, code)
);

-- Counts that guard secrets: rate-limiter-flexible's table, shared by all instances and kept over restarts.
create table guard_count (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index guard_count_expire on guard_count (expire);
