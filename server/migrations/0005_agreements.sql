-- What connects people with partners: permission groups, agreements, service accounts.

-- Names of permission groups are unique in a partner, and differ from those of managed groups (behaviour
-- A13). Two names are the same when their keys are equal.
create function group_name_key(name text) returns text language sql immutable strict parallel safe
  return lower(normalize(name, nfc) collate "pg_c_utf8");

-- Permission groups. Managed groups are the same for every partner; custom groups belong to one partner.
create table permission_group (
  id uuid primary key,
  partner_id uuid references partner (id) on delete cascade,
  -- The owner of the group: a partner, or all zeros for the platform. A foreign key from agreements uses
  -- it, so that no agreement has a group of another partner.
  account_id uuid not null
    generated always as (coalesce(partner_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored,
  name text not null check (char_length(name) <= 255),
  acl_permissions jsonb not null,
  -- New agreements of the partner get this group.
  is_default boolean not null default false,
  created_at moment not null default concord_now(),
  updated_at moment not null default concord_now(),
  unique (id, account_id),
  check (partner_id is not null or not is_default),
  check (updated_at >= created_at),
  -- A migration that adds a managed group adds its name here, and renames the custom groups that have it.
  constraint permission_group_name_not_managed
    check (partner_id is null or group_name_key(name) not in ('administrator', 'editor', 'viewer', 'integrator')),
  constraint permission_group_name_not_empty check (name <> '')
);

create index permission_group_account on permission_group (account_id, id);
create unique index permission_group_default on permission_group (partner_id) where is_default;
create unique index permission_group_name on permission_group (account_id, group_name_key(name));

-- The managed groups (behaviour R4), with the same ids in every installation.
with managed (position, name, resources, methods) as (
  values
    (1, 'Administrator', array['*'], array['get', 'put', 'post', 'patch', 'delete', 'query']),
    (2, 'Editor', array['partner', 'agreements', 'webhook_endpoints', 'events', 'deliveries'], array['get', 'query', 'post', 'patch']),
    (3, 'Viewer', array['partner', 'agreements', 'acl_permission_groups', 'webhook_endpoints', 'events', 'deliveries'], array['get', 'query']),
    (4, 'Integrator', array['webhook_endpoints', 'events', 'deliveries'], array['get', 'put', 'post', 'patch', 'delete', 'query'])
)
insert into permission_group (id, name, acl_permissions)
select ('01980000-0000-7000-8000-00000000000' || position)::uuid, name, (
    select jsonb_agg(jsonb_build_object(
        'resource', resource, 'get', 'get' = any (methods), 'put', 'put' = any (methods), 'post', 'post' = any (methods),
        'patch', 'patch' = any (methods), 'delete', 'delete' = any (methods), 'query', 'query' = any (methods)) order by place)
    from unnest(resources) with ordinality as named (resource, place))
from managed;

-- An OpenID Connect provider with which people of the partner sign in.
create table identity_connection (
  id uuid primary key,
  partner_id uuid not null references partner (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  -- As its discovery document has it, to the letter.
  issuer text not null check (char_length(issuer) <= 2048),
  client_id text not null check (char_length(client_id) between 1 and 255),
  authentication text not null
    check (authentication in ('client_secret_basic', 'client_secret_post', 'private_key_jwt')),
  -- Sealed: the client secret, or the private key (PKCS #8).
  secret bytea not null,
  -- Of the private key, to register at the provider.
  public_jwk jsonb,
  -- Only a connection whose present settings passed a test can be on. Turning it off, or changing it, ends
  -- what it proved.
  enabled boolean not null default false,
  tested_at moment,
  -- Counts changes of what a sign-in depends on: a sign-in that began before does not complete.
  revision integer not null default 1,
  -- People of its domains become members at their first sign-in, on these terms.
  admits_new_members boolean not null default false,
  new_member_days integer check (new_member_days between 1 and 3650),
  new_member_mfa_required boolean not null default false,
  -- The owner or operator who set the terms of new members, what provisioning may grant, or both. Nobody
  -- joins on terms that this person may not grant.
  terms_by text references auth."user" (id) on delete set null,
  created_at moment not null default concord_now(),
  updated_at moment not null default concord_now(),
  unique (partner_id, id),
  check (tested_at is not null or not enabled),
  check ((public_jwk is not null) = (authentication = 'private_key_jwt')),
  check (updated_at >= created_at)
);

create index identity_connection_terms_by on identity_connection (terms_by) where terms_by is not null;

-- The groups of new members, in their order.
create table identity_connection_group (
  connection_id uuid not null,
  partner_id uuid not null,
  group_id uuid not null,
  account_id uuid not null,
  position smallint not null check (position between 1 and 50),
  primary key (connection_id, position),
  unique (connection_id, group_id),
  foreign key (partner_id, connection_id) references identity_connection (partner_id, id) on delete cascade,
  foreign key (group_id, account_id) references permission_group (id, account_id) deferrable initially deferred,
  check (account_id in (partner_id, '00000000-0000-0000-0000-000000000000'))
);

create index identity_connection_group_group on identity_connection_group (group_id);

-- A domain whose addresses a connection may assert. A TXT record proves it.
create table identity_domain (
  id uuid primary key,
  partner_id uuid not null,
  connection_id uuid not null,
  -- In lower case, and with labels of other scripts in their ASCII form (IDNA).
  domain text not null check (domain = lower(domain) and char_length(domain) <= 253),
  -- The value of the TXT record.
  proof text not null,
  verified_at moment,
  checked_at moment,
  -- failed: the DNS gave no answer, so nothing changed.
  last_check text check (last_check in ('found', 'missing', 'failed')),
  -- Since when the record is missing. New members are refused from then on.
  lost_at moment,
  created_at moment not null default concord_now(),
  foreign key (partner_id, connection_id) references identity_connection (partner_id, id) on delete cascade,
  unique (partner_id, domain),
  check (lost_at is null or verified_at is not null)
);

-- One partner owns a domain at a time.
create unique index identity_domain_verified on identity_domain (domain) where verified_at is not null;
create index identity_domain_connection on identity_domain (connection_id);
create index identity_domain_checked_at on identity_domain (checked_at) where verified_at is not null;

-- What sessions have proved for partners, beside who their user is: a sign-in by a connection.
create table session_proof (
  session_id text not null references auth.session (id) on delete cascade,
  partner_id uuid not null references partner (id) on delete cascade,
  connection_id uuid not null,
  -- When the provider saw the person (auth_time), or the sign-in completed.
  proved_at moment not null,
  -- Of the ID token: OpenID Connect Core 1.0, section 2, and Back-Channel Logout 1.0, section 2.4.
  subject text not null,
  provider_session text,
  acr text,
  amr text[],
  primary key (session_id, partner_id),
  foreign key (partner_id, connection_id) references identity_connection (partner_id, id) on delete cascade
);

create index session_proof_connection on session_proof (connection_id, subject);
create index session_proof_partner on session_proof (partner_id);

-- Sessions that a sign-in by a connection made: a logout at the provider ends them, also without a proof.
create table connection_session (
  session_id text primary key references auth.session (id) on delete cascade,
  connection_id uuid not null references identity_connection (id) on delete cascade,
  subject text not null,
  provider_session text
);

create index connection_session_connection on connection_session (connection_id, subject);

-- Owners who declared in a session that they work without the provider.
create table break_glass (
  session_id text not null references auth.session (id) on delete cascade,
  partner_id uuid not null references partner (id) on delete cascade,
  began_at moment not null default concord_now(),
  ends_at moment not null,
  primary key (session_id, partner_id)
);

create index break_glass_partner on break_glass (partner_id);

-- A browser that a provider has been sent, until it returns with the state. Each state works once.
create table identity_visit (
  state_hash bytea primary key check (octet_length(state_hash) = 32),
  partner_id uuid not null,
  connection_id uuid not null,
  -- Of the connection when the visit began.
  revision integer not null,
  purpose text not null check (purpose in ('sign_in', 'prove', 'test')),
  -- Of a cookie of the browser that began.
  browser_hash bytea not null,
  -- The session that proves or tests.
  session_id text references auth.session (id) on delete cascade,
  -- The nonce and the verifier of PKCE, sealed.
  secrets bytea not null,
  -- Of the console, to which the browser goes on.
  page text,
  expires_at moment not null default concord_now() + interval '10 minutes',
  foreign key (partner_id, connection_id) references identity_connection (partner_id, id) on delete cascade,
  check ((purpose = 'sign_in') = (session_id is null))
);

create index identity_visit_connection on identity_visit (connection_id);
create index identity_visit_session on identity_visit (session_id) where session_id is not null;
create index identity_visit_expires_at on identity_visit (expires_at);

-- What a provider said of a user, until the user shows more: the second factor, or that the account is theirs.
create table identity_claim (
  -- Of the code of the link, or of the challenge (auth.verification).
  token_hash text primary key,
  kind text not null check (kind in ('link', 'challenge')),
  partner_id uuid not null,
  connection_id uuid not null,
  revision integer not null,
  user_id text not null references auth."user" (id) on delete cascade,
  -- The cookie of the console in which it began. Null: outside the console.
  browser_hash bytea,
  -- What the provider asserted.
  email text not null,
  -- As in session_proof.
  proved_at moment not null,
  subject text not null,
  provider_session text,
  acr text,
  amr text[],
  expires_at moment not null default concord_now() + interval '10 minutes',
  foreign key (partner_id, connection_id) references identity_connection (partner_id, id) on delete cascade
);

create index identity_claim_connection on identity_claim (connection_id);
create index identity_claim_user on identity_claim (user_id);
create index identity_claim_expires_at on identity_claim (expires_at);

-- Logout tokens that were used: each works once, and ends sign-ins that are under way.
create table identity_logout (
  connection_id uuid not null references identity_connection (id) on delete cascade,
  jti_hash bytea not null check (octet_length(jti_hash) = 32),
  -- Whom it named, one or both: SHA-256.
  subject_hash bytea check (octet_length(subject_hash) = 32),
  session_hash bytea check (octet_length(session_hash) = 32),
  used_at moment not null default concord_now(),
  expires_at moment not null default concord_now() + interval '10 minutes',
  primary key (connection_id, jti_hash)
);

create index identity_logout_expires_at on identity_logout (expires_at);

-- Nobody signs in with a connection that is gone, or by the names of people at another provider.
create function unlink_connection() returns trigger language plpgsql as $$
begin
  delete from auth.account where provider_id = 'connection:' || old.id;
  return null;
end $$;
create trigger identity_connection_unlinks after delete on identity_connection
  for each row execute function unlink_connection();
create trigger identity_connection_unlinks_others after update of issuer on identity_connection
  for each row when (old.issuer <> new.issuer) execute function unlink_connection();

-- A connection that is turned off or changed has proved nothing any more.
create function forget_proofs() returns trigger language plpgsql as $$
begin
  delete from session_proof where connection_id = new.id;
  return null;
end $$;
create trigger identity_connection_forgets_proofs after update of enabled, revision on identity_connection
  for each row when (old.revision <> new.revision or (old.enabled and not new.enabled))
  execute function forget_proofs();

-- The agreement of a person with a partner: an invitation until the person accepts it.
create table agreement (
  id uuid primary key,
  partner_id uuid not null references partner (id) on delete cascade,
  -- The address as entered, and its normalized form for comparison.
  email text not null,
  email_key text not null,
  -- The user who accepted; null while pending.
  user_id text references auth."user" (id) on delete cascade,
  owner boolean not null,
  mfa_required boolean not null default false,
  -- As partner.sso_required, for one person.
  sso_required boolean not null default false,
  -- An owner who may work without the identity provider of the partner, after saying so.
  break_glass boolean not null default false,
  -- The connection that made the agreement, for a new member or by provisioning. A sign-in by it accepts the
  -- agreement.
  connection_id uuid,
  acl_permissions jsonb not null default '[]',
  -- No approved access request gives the agreement anything after this time.
  granted_until moment,
  expires_at moment,
  -- A pending agreement can be accepted until then.
  invitation_expires_at moment not null default concord_now() + interval '7 days',
  created_at moment not null default concord_now(),
  updated_at moment not null default concord_now(),
  -- When a mail warned the person that the agreement ends soon. Null: no mail has
  -- warned of this end.
  warned_at moment,
  unique (partner_id, id),
  unique (partner_id, email_key),
  foreign key (partner_id, connection_id) references identity_connection (partner_id, id)
    on delete set null (connection_id),
  check (owner or not break_glass),
  check (updated_at >= created_at)
);

create index agreement_connection on agreement (connection_id) where connection_id is not null;

-- One index for each order of a partner's agreements; that by id is a unique constraint.
create index agreement_created_at on agreement (partner_id, created_at, id);
create index agreement_updated_at on agreement (partner_id, updated_at, id);
create index agreement_ends_at on agreement (partner_id, (coalesce(expires_at, 'infinity')), id);
-- Each agreement is in one of these two.
create index agreement_accepted on agreement (partner_id, id) where user_id is not null;
create index agreement_invited on agreement (partner_id, id) where user_id is null;
-- The few of a partner that many questions are about.
create index agreement_owner on agreement (partner_id, id) where owner;
create index agreement_sso_required on agreement (partner_id, id) where sso_required;
create index agreement_break_glass on agreement (partner_id, id) where break_glass;

-- A user has at most one agreement with a partner. The access read uses this index.
create unique index agreement_member on agreement (partner_id, user_id) where user_id is not null;
create index agreement_user_id on agreement (user_id, id) where user_id is not null;
create index agreement_email_key on agreement (email_key, id) where user_id is null;
create index agreement_expires_at on agreement (expires_at) where user_id is not null and expires_at is not null;
create index agreement_to_warn on agreement (expires_at) 
  where user_id is not null and expires_at is not null and warned_at is null;

-- Behaviour A7: every partner keeps an owner. An owner counts when the agreement is accepted and has no
-- expiry, and the user is not banned. The share lock on that user prevents a concurrent deletion or ban.
-- The refusal names the partner, as the detail of the error.
create function keep_an_owner(of_partner uuid, without_user text) returns void language plpgsql as $$
declare
  partner_name text;
begin
  if current_setting('concord.orphan', true) = 'on' then
    return;
  end if;
  select name into partner_name from partner where id = of_partner and deleted_at is null for no key update;
  if not found then
    return;
  end if;
  perform from agreement join auth."user" account on account.id = agreement.user_id
    where agreement.partner_id = of_partner and agreement.owner and agreement.expires_at is null
      and account.id is distinct from without_user
      and (account.banned is not true or account.ban_expires <= concord_now())
    limit 1 for share of account;
  if not found then
    raise exception 'the last owner stays' using errcode = 'CC002', detail = coalesce(partner_name, '');
  end if;
end $$;

-- Ending the agreement of an owner, or taking the ownership.
create function agreement_keeps_an_owner() returns trigger language plpgsql as $$
begin
  -- A banned user did not count. If the user is gone, user_keeps_owners has checked already.
  if exists (
    select from auth."user" where id = old.user_id and (banned is not true or ban_expires <= concord_now())
  ) then
    perform keep_an_owner(old.partner_id, null);
  end if;
  return null;
end $$;
create trigger agreement_keeps_an_owner_deleted after delete on agreement
  for each row when (old.owner and old.user_id is not null and old.expires_at is null)
  execute function agreement_keeps_an_owner();
create trigger agreement_keeps_an_owner_changed after update of owner, expires_at on agreement
  for each row when (
    old.owner and old.user_id is not null and old.expires_at is null and (not new.owner or new.expires_at is not null))
  execute function agreement_keeps_an_owner();

-- What every mutation locks, in this order, so that none deadlock. Null: there is none.
create function lock_for_change(of_partner uuid, of_user text, of_agreement uuid) returns void language plpgsql as $$
begin
  if of_partner is not null then
    perform from partner where id = of_partner for no key update;
  end if;
  perform from auth."user" where id = of_user for key share;
  if of_agreement is not null then
    perform from agreement where id = of_agreement for share;
  end if;
end $$;

-- Call this before banning or deleting a user. Every transaction locks partners by id, then users, so
-- none deadlock.
create function lock_owned_partners(owner_id text) returns void language sql as $$
  select from partner where id in (select partner_id from agreement
    where user_id = owner_id and owner and expires_at is null)
  order by id for no key update
$$;

-- Deleting or banning an owner.
create function user_keeps_owners() returns trigger language plpgsql as $$
declare
  owned uuid;
begin
  -- A user with an active ban did not count as an owner.
  if old.banned and (old.ban_expires is null or old.ban_expires > concord_now()) then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  perform lock_owned_partners(old.id);
  for owned in
    select partner_id from agreement
      where user_id = old.id and owner and expires_at is null order by partner_id
  loop
    perform keep_an_owner(owned, old.id);
  end loop;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger user_keeps_owners_deleted before delete on auth."user"
  for each row execute function user_keeps_owners();
create trigger user_keeps_owners_banned before update of banned, ban_expires on auth."user"
  for each row when (new.banned) execute function user_keeps_owners();

-- An answered invitation ends its token (auth.invitation_token).
create trigger agreement_accepted_ends_invitation after update of user_id on agreement
  for each row when (old.user_id is null and new.user_id is not null)
  execute function auth.invitation_answered();
create trigger agreement_deleted_ends_invitation after delete on agreement
  for each row when (old.user_id is null) execute function auth.invitation_answered();

-- As for access tokens.
create trigger agreement_forgets_warning before update of expires_at on agreement
  for each row when (old.expires_at is distinct from new.expires_at) execute function forget_warning();

-- The groups of an agreement, in the order in which they were given.
create table agreement_group (
  agreement_id uuid not null,
  partner_id uuid not null,
  group_id uuid not null,
  account_id uuid not null,
  position smallint not null check (position between 1 and 50),
  primary key (agreement_id, position),
  unique (agreement_id, group_id),
  foreign key (partner_id, agreement_id) references agreement (partner_id, id) on delete cascade,
  -- A group in use cannot be deleted. Deferred, because deleting a partner deletes its groups and
  -- agreements in any order.
  foreign key (group_id, account_id) references permission_group (id, account_id) deferrable initially deferred,
  check (account_id in (partner_id, '00000000-0000-0000-0000-000000000000'))
);

create index agreement_group_group on agreement_group (group_id);

-- What members ask for, and what an approval gives them for a time (behaviour A30 to A34).
create table access_request (
  id uuid primary key,
  partner_id uuid not null,
  agreement_id uuid not null,
  -- The user of the agreement.
  user_id text not null,
  -- Names, such as deliveries.query.
  permissions text[] not null check (cardinality(permissions) between 1 and 100),
  duration_seconds integer not null check (duration_seconds between 60 and 7776000),
  reason text not null check (char_length(reason) between 1 and 500),
  state text not null default 'pending'
    check (state in ('pending', 'approved', 'denied', 'withdrawn', 'lapsed')),
  created_at moment not null default concord_now(),
  -- Nobody can approve it from then on.
  lapses_at moment not null default concord_now() + interval '7 days',
  settled_at moment,
  -- Who approved or denied it. Null: nobody, or their account is deleted.
  decided_by text references auth."user" (id) on delete set null,
  note text check (char_length(note) <= 500),
  -- The end of what an approval gives.
  ends_at moment,
  foreign key (partner_id, agreement_id) references agreement (partner_id, id) on delete cascade,
  check ((state = 'pending') = (settled_at is null)),
  check ((state = 'approved') = (ends_at is not null)),
  check (decided_by <> user_id)
);

create index access_request_partner on access_request (partner_id, id);
create index access_request_created_at on access_request (partner_id, created_at, id);
create index access_request_state on access_request (partner_id, state, ends_at);
create index access_request_agreement on access_request (agreement_id, id);
create index access_request_pending on access_request (lapses_at) where state = 'pending';
create index access_request_settled on access_request (settled_at) where state <> 'pending';
create index access_request_decided_by on access_request (decided_by) where decided_by is not null;

-- An agreement that ends earlier ends what requests gave it for good: prolonging it must not give it again.
create function shorten_access_requests() returns trigger language plpgsql as $$
begin
  update access_request set ends_at = new.expires_at where agreement_id = new.id and ends_at > new.expires_at;
  return null;
end $$;
create trigger agreement_shortens_access_requests after update of expires_at on agreement
  for each row when (new.expires_at < new.granted_until) execute function shorten_access_requests();

-- Provisioning (SCIM 2.0) by the directory of a company: the token of each connection. A new one replaces it.
create table provisioning_token (
  connection_id uuid primary key,
  partner_id uuid not null,
  token_hash bytea not null unique,
  prefix text not null,
  created_at moment not null default concord_now(),
  -- To the minute.
  last_used_at moment,
  foreign key (partner_id, connection_id) references identity_connection (partner_id, id) on delete cascade
);

-- What the directory says of a person. Each active one with an address of the connection has an agreement.
create table provisioned_user (
  id uuid primary key,
  partner_id uuid not null,
  connection_id uuid not null,
  -- The attributes that the directory set.
  document jsonb not null,
  user_name_key text not null generated always as (lower(document ->> 'userName')) stored,
  external_id text generated always as (document ->> 'externalId') stored,
  -- Of the address that decides whose agreement it is. Null: none is of a verified domain.
  email_key text,
  agreement_id uuid references agreement (id) on delete set null,
  created_at moment not null default concord_now(),
  updated_at moment not null default concord_now(),
  foreign key (partner_id, connection_id) references identity_connection (partner_id, id) on delete cascade,
  unique (connection_id, id),
  unique (connection_id, user_name_key),
  unique (connection_id, external_id),
  unique (connection_id, email_key),
  check (updated_at >= created_at)
);

-- A connection has one user for an agreement: otherwise one of two would end the access of the other.
create unique index provisioned_user_agreement on provisioned_user (agreement_id, connection_id) where agreement_id is not null;
create index provisioned_user_email_key on provisioned_user (email_key) where email_key is not null;

-- The directory also ends what a sign-in or an invitation began anew, after the agreement of its user was gone.
create function link_provisioned_user() returns trigger language plpgsql as $$
begin
  update provisioned_user set agreement_id = new.id
    where partner_id = new.partner_id and email_key = new.email_key and agreement_id is null
      and document -> 'active' is distinct from 'false';
  return null;
end $$;
create trigger agreement_links_provisioned_user after insert on agreement
  for each row execute function link_provisioned_user();

-- A group of the directory. Its members get the permission group to which an owner mapped it.
create table provisioned_group (
  id uuid primary key,
  partner_id uuid not null,
  connection_id uuid not null,
  document jsonb not null,
  external_id text generated always as (document ->> 'externalId') stored,
  group_id uuid,
  account_id uuid,
  created_at moment not null default concord_now(),
  updated_at moment not null default concord_now(),
  foreign key (partner_id, connection_id) references identity_connection (partner_id, id) on delete cascade,
  foreign key (group_id, account_id) references permission_group (id, account_id)
    on delete set null (group_id, account_id),
  unique (connection_id, id),
  unique (connection_id, external_id),
  check ((group_id is null) = (account_id is null)),
  check (account_id in (partner_id, '00000000-0000-0000-0000-000000000000')),
  check (updated_at >= created_at)
);

create index provisioned_group_group on provisioned_group (group_id) where group_id is not null;

create table provisioned_member (
  connection_id uuid not null,
  provisioned_group_id uuid not null,
  provisioned_user_id uuid not null,
  primary key (provisioned_group_id, provisioned_user_id),
  foreign key (connection_id, provisioned_group_id) references provisioned_group (connection_id, id) on delete cascade,
  foreign key (connection_id, provisioned_user_id) references provisioned_user (connection_id, id) on delete cascade
);

create index provisioned_member_user on provisioned_member (provisioned_user_id);

-- The last 50 requests of each directory, without personal values.
create table provisioning_request (
  position bigint generated always as identity primary key,
  connection_id uuid not null references identity_connection (id) on delete cascade,
  created_at moment not null default concord_now(),
  method text not null,
  path text not null,
  status smallint not null,
  detail text
);

create index provisioning_request_connection on provisioning_request (connection_id, position);

-- How often the owners of a partner confirm its agreements (behaviour A35 to A39).
create table access_review_policy (
  partner_id uuid primary key references partner (id) on delete cascade,
  -- Null: no review opens.
  interval_days smallint check (interval_days between 7 and 366),
  warning_days smallint not null check (warning_days between 1 and 60),
  next_at moment,
  check (2 * warning_days <= interval_days),
  check ((next_at is null) = (interval_days is null))
);

create index access_review_policy_next_at on access_review_policy (next_at) where next_at is not null;

-- A review of all agreements that a partner had when it opened.
create table access_review (
  id uuid primary key,
  partner_id uuid not null references partner (id) on delete cascade,
  -- Of the policy when the review opened.
  warning_days smallint not null,
  opened_at moment not null default concord_now(),
  -- When a mail warned the owners of the end.
  warned_at moment,
  due_at moment not null,
  -- When a task goes on: to warn, and later to end what nobody confirmed.
  step_at moment not null,
  closed_at moment,
  -- How many agreements have which decision, once the review is closed.
  counts jsonb,
  check (counts is null or closed_at is not null),
  check (step_at <= due_at)
);

-- A partner has one open review at a time.
create unique index access_review_open on access_review (partner_id) where closed_at is null;
create index access_review_partner on access_review (partner_id, id);
create index access_review_step_at on access_review (step_at) where closed_at is null;

-- An agreement as it was when the review opened, and what was decided. It outlives the agreement.
create table access_review_item (
  review_id uuid not null references access_review (id) on delete cascade,
  agreement_id uuid not null,
  user_id text references auth."user" (id) on delete set null,
  -- Null: the person's account is deleted.
  name text,
  -- Null: as before, or a service account.
  email text,
  service_account boolean not null,
  owner boolean not null,
  acl_permissions jsonb not null,
  group_names text[] not null,
  -- lapsed: nobody confirmed it, so the review ended it. kept: as before, but it is the last owner's. gone: it
  -- had ended before.
  decision text check (decision in ('confirmed', 'ended', 'lapsed', 'kept', 'gone')),
  decided_at moment,
  -- Null: the review itself, or the person's account is deleted.
  decided_by text references auth."user" (id) on delete set null,
  primary key (review_id, agreement_id),
  check ((decision is null) = (decided_at is null)),
  check (decided_by is null or decision in ('confirmed', 'ended'))
);

create index access_review_item_undecided on access_review_item (review_id, agreement_id) where decision is null;
create index access_review_item_user on access_review_item (user_id) where user_id is not null;
create index access_review_item_decided_by on access_review_item (decided_by) where decided_by is not null;

-- Service accounts: users that cannot sign in. Their agreement and access tokens outlive the people who
-- created them.
create table service_account (
  user_id text primary key references auth."user" (id) on delete cascade,
  agreement_id uuid not null unique references agreement (id) on delete cascade,
  partner_id uuid not null references partner (id) on delete cascade,
  created_at moment not null default concord_now()
);

create index service_account_partner on service_account (partner_id, user_id);

-- Its user goes with it.
create function remove_service_user() returns trigger language plpgsql as $$
begin
  delete from auth."user" where id = old.user_id;
  return null;
end $$;
create trigger remove_service_user after delete on service_account
  for each row execute function remove_service_user();

-- Owners and operators must be able to sign in. A service account could not act, but would count as the
-- last owner or operator.
create function service_accounts_rule_nothing() returns trigger language plpgsql as $$
begin
  if exists (
    select from service_account
      where user_id = case when tg_table_name = 'user' then to_jsonb(new) ->> 'id' else to_jsonb(new) ->> 'user_id' end
  ) then
    raise exception 'a service account is no owner or operator' using errcode = 'CC004';
  end if;
  return null;
end $$;
create trigger service_accounts_own_nothing after update of owner on agreement
  for each row when (new.owner and not old.owner) execute function service_accounts_rule_nothing();
create trigger service_accounts_operate_nothing after update of role on auth."user"
  for each row when (new.role = 'operator') execute function service_accounts_rule_nothing();
