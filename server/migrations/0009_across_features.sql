-- Functions over the tables of several features.

-- Makes the indexes that find a text inside other text, for filters and search. Every start calls it,
-- because the extension pg_trgm can be missing now and there later: some packages of PostgreSQL leave it
-- out, and a role can lack the right to create it. Returns whether the indexes are there.
create function make_text_indexes() returns boolean language plpgsql as $$
declare
  operators text;
  wanted record;
begin
  perform pg_advisory_xact_lock(hashtextextended('concord text indexes', 0));
  if not exists (select from pg_extension where extname = 'pg_trgm') then
    if not exists (select from pg_available_extensions where name = 'pg_trgm') then
      return false;
    end if;
    begin
      create extension pg_trgm;
    exception when insufficient_privilege then
      return false;
    end;
  end if;
  -- Hosted databases can have it in a schema of its own.
  select format('%I.gin_trgm_ops', nspname) into operators
    from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
  for wanted in values
    ('partner_name_text', 'partner using gin (name %s) where deleted_at is null'),
    ('partner_vat_no_text', 'partner using gin (vat_no %s) where deleted_at is null'),
    ('agreement_email_text', 'agreement using gin (email %s)'),
    ('webhook_endpoint_url_text', 'webhook_endpoint using gin (url %s)'),
    ('webhook_endpoint_description_text', 'webhook_endpoint using gin (description %s)'),
    ('auth.user_email_text', 'auth."user" using gin (email %s)')
  loop
    -- `create index if not exists` would lock the table against writes even when the index exists.
    if to_regclass(wanted.column1) is null then
      execute format('create index %I on ' || format(wanted.column2, operators), replace(wanted.column1, 'auth.', ''));
    end if;
  end loop;
  return true;
end $$;

-- A restore calls it in its transaction. It is part of the schema, because a restore fills the schema of
-- the backup.
create function finish_restore(taken timestamptz) returns void language plpgsql as $$
begin
  -- Nobody can know which sessions were ended since the backup.
  delete from auth.session;
  delete from instance;
  update delivery set next_attempt_at = 'infinity' where status = 'pending' and next_attempt_at < 'infinity';
  update mail set next_at = 'infinity';
  update lane set owner = null, next_at = 'infinity', epoch = epoch + 1 where next_at < 'infinity';
  -- Receivers may have changed since the backup: failures before it do not count, and a check does not go on.
  update lane set failing_since = null, failing_announced = false where failing_since is not null;
  update endpoint_check set status = 'failed', finished_at = concord_now(), owner = null, leased_until = null where status = 'running';
  update webhook_endpoint set checked_at = concord_now(),
      check_status = case when waived_at is null then 'failed' else 'waived' end,
      unchecked = waived_at is null and environment = 'live' and (select requires_check from webhook_policy)
    from endpoint_check where endpoint_id = webhook_endpoint.id and check_status = 'running';
  -- Owners may have confirmed since the backup: they are warned again.
  update access_review set warned_at = null where closed_at is null;
  delete from held_deliveries;
  if exists (select from delivery
    where status = 'pending' and next_attempt_at = 'infinity') or exists (select from mail)
    or exists (select from replay where completed_at is null)
  then
    insert into held_deliveries (taken_at) values (taken);
  end if;
end $$;

-- Events about the platform (behaviour W66). Triggers announce, so that no way of a change is forgotten.

-- Writes nothing unless an endpoint of the platform's partner wants the type. `about`: the partner that it happened to.
-- Nothing that happens to the platform's own partner is announced, so an endpoint that fails causes no events.
create function announce(of_type text, about uuid, facts jsonb, at timestamptz default concord_now()) returns void language sql as $$
  insert into platform_event (type, data, occurred_at)
  select of_type, facts, at from platform_partner platform join partner on partner.id = platform.partner_id
  where platform.publishes and partner.deleted_at is null and platform.partner_id is distinct from about
    and exists (select from webhook_endpoint where webhook_endpoint.partner_id = platform.partner_id
      and environment = 'live' and (event_types is null or of_type = any (event_types)))
$$;

create function announce_partner() returns trigger language plpgsql as $$
begin
  perform announce(case tg_op when 'INSERT' then 'partner.created' else 'partner.deleted' end, new.id,
    jsonb_build_object('partner_id', new.id));
  return null;
end $$;
create trigger partner_created_announced after insert on partner
  for each row execute function announce_partner();
create trigger partner_deleted_announced after update of deleted_at on partner
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function announce_partner();

create function announce_agreement(happened text, agreement agreement, more jsonb, at timestamptz) returns void language sql as $$
  select announce(happened, agreement.partner_id, jsonb_build_object('partner_id', agreement.partner_id, 'agreement_id', agreement.id,
    'user_id', agreement.user_id, 'owner', agreement.owner) || more, at)
$$;

create function announce_accepted() returns trigger language plpgsql as $$
begin
  perform announce_agreement('agreement.accepted', new, '{}', concord_now());
  return null;
end $$;
create trigger agreement_accepted_announced after update of user_id on agreement
  for each row when (old.user_id is null and new.user_id is not null) execute function announce_accepted();

create function announce_ended() returns trigger language plpgsql as $$
declare
  -- The task announces ends after this time. It changes the row, so it waits for this transaction.
  announced timestamptz;
begin
  select announced_until into announced from platform_partner where publishes for share;
  if old.expires_at <= announced then
    return null;
  elsif tg_op = 'UPDATE' then
    if new.expires_at <= announced then
      perform announce_agreement('agreement.ended', new, '{"reason": "expired"}', new.expires_at);
    end if;
  -- The end of a partner is announced when it is deleted, not when it is purged.
  elsif exists (select from partner where id = old.partner_id and deleted_at is null) then
    if old.expires_at <= concord_now() then
      perform announce_agreement('agreement.ended', old, '{"reason": "expired"}', old.expires_at);
    else
      perform announce_agreement('agreement.ended', old, '{"reason": "deleted"}', concord_now());
    end if;
  end if;
  return null;
end $$;
create trigger agreement_deleted_announced after delete on agreement
  for each row when (old.user_id is not null) execute function announce_ended();
create trigger agreement_expired_announced after update of expires_at on agreement
  for each row when (new.user_id is not null and new.expires_at <= concord_now()) execute function announce_ended();

create function announce_endpoint(happened text, endpoint webhook_endpoint, more jsonb) returns void language sql as $$
  select announce(happened, endpoint.partner_id, jsonb_build_object('partner_id', endpoint.partner_id, 'endpoint_id', endpoint.id,
    'host', substring(endpoint.url from '^https?://(?:[^/?#]*@)?([^/?#]*)')) || more)
  where endpoint.environment = 'live'
$$;

create function announce_disabled() returns trigger language plpgsql as $$
begin
  perform announce_endpoint('webhook_endpoint.disabled', new, jsonb_build_object('reason', new.disabled_reason));
  return null;
end $$;
create trigger endpoint_disabled_announced after update of status on webhook_endpoint
  for each row when (old.status <> 'disabled' and new.status = 'disabled') execute function announce_disabled();

-- The task announces what has failed for some minutes.
create function announce_recovered() returns trigger language plpgsql as $$
begin
  perform announce_endpoint('webhook_endpoint.recovered', endpoint, jsonb_build_object('failing_since', old.failing_since))
    from webhook_endpoint endpoint where id = new.endpoint_id;
  new.failing_announced := false;
  return new;
end $$;
create trigger lane_recovered_announced before update of failing_since on lane
  for each row when (old.failing_announced and new.failing_announced and new.failing_since is null)
  execute function announce_recovered();

create function announce_failed() returns trigger language plpgsql as $$
begin
  perform announce('delivery.failed', new.partner_id, jsonb_build_object('partner_id', new.partner_id, 'endpoint_id', new.endpoint_id,
    'delivery_id', new.id, 'event_id', new.event_id, 'event_type', new.event_type, 'attempt_count', new.attempt_count,
    'status_code', new.last_status_code, 'reason', new.last_reason));
  return null;
end $$;
create trigger delivery_failed_announced after update of status on delivery
  for each row when (new.status = 'failed' and old.status <> 'failed' and new.environment = 'live') execute function announce_failed();

-- Announces what time alone has brought: ends of agreements, keys that sign from now on, and endpoints that have
-- failed for five minutes. A transaction that is under way can still set an earlier time, so the last seconds wait.
create function announce_what_time_brought() returns void language plpgsql as $$
declare
  since timestamptz;
  until constant timestamptz := concord_now() - interval '15 seconds';
  announced bigint;
begin
  select announced_until into since from platform_partner where publishes for update;
  if since is null then
    return;
  end if;
  -- Nothing of the first two, until a clock that was set back shows times that are not announced yet.
  perform announce_agreement('agreement.ended', agreement, '{"reason": "expired"}', agreement.expires_at)
    from agreement join partner on partner.id = agreement.partner_id and partner.deleted_at is null
    where agreement.user_id is not null and agreement.expires_at > since and agreement.expires_at <= until;
  perform announce('signing_key.rotated', null, jsonb_build_object('environment', environment, 'kid', kid), activates_at)
    from signing_key where activates_at > since and activates_at <= until and sequence > 1 and revoked_at is null;
  with failing as (
    update lane set failing_announced = true where endpoint_id in (
      select endpoint_id from lane where failing_since <= concord_now() - interval '5 minutes' and not failing_announced
      limit 1000 for no key update skip locked)
    returning endpoint_id, failing_since)
  select count(announce_endpoint('webhook_endpoint.failing', endpoint, jsonb_build_object('failing_since', failing.failing_since)))
    into announced from failing join webhook_endpoint endpoint on endpoint.id = failing.endpoint_id and endpoint.status = 'active';
  update platform_partner set announced_until = until where announced_until < until;
end $$;
