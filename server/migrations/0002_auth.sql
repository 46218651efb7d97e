-- Up Migration

-- better-auth's tables, as its generator writes them. A test compares the two.
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
  ban_expires timestamptz
);

create table auth.session (
  id text primary key,
  expires_at timestamptz not null,
  token text not null unique,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null,
  ip_address text,
  user_agent text,
  user_id text not null references auth."user" (id) on delete cascade,
  impersonated_by text
);

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

create table auth.verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);

create index session_user_id_idx on auth.session (user_id);
create index account_user_id_idx on auth.account (user_id);
create index verification_identifier_idx on auth.verification (identifier);

-- Added by us: an account at a provider belongs to one user.
create unique index account_provider_key on auth.account (provider_id, account_id);
