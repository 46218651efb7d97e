-- Partners: companies with their addresses.
create table partner (
  id uuid primary key,
  name text not null check (char_length(name) <= 255),
  description text check (char_length(description) <= 2000),
  phone text check (char_length(phone) <= 32),
  vat_no text check (char_length(vat_no) <= 255),
  website text check (char_length(website) <= 2048),
  billing_email text check (char_length(billing_email) <= 255),
  support_email text check (char_length(support_email) <= 255),
  support_phone text check (char_length(support_phone) <= 32),
  street text check (char_length(street) <= 255),
  postal_code text check (char_length(postal_code) <= 255),
  city text check (char_length(city) <= 255),
  region text check (char_length(region) <= 255),
  country text check (char_length(country) <= 255),
  latitude float8,
  longitude float8,
  -- Agreements work only in sessions that an identity provider of the partner proved at most this long ago.
  sso_required boolean not null default false,
  -- It also counts for agreements that require it themselves.
  sso_max_age_seconds integer not null default 43200 check (sso_max_age_seconds between 300 and 2592000),
  created_at moment not null default concord_now(),
  updated_at moment not null default concord_now(),
  -- While set, the partner is hidden from everyone. It is purged 30 days later.
  deleted_at moment,
  check (updated_at >= created_at)
);

-- One index for each order of the lists; id breaks ties.
create index partner_name on partner (name, id) where deleted_at is null;
create index partner_created_at on partner (created_at, id) where deleted_at is null;
create index partner_updated_at on partner (updated_at, id) where deleted_at is null;
create index partner_deleted_at on partner (deleted_at) where deleted_at is not null;
