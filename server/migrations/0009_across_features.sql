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
  -- Receivers may have changed since the backup, so a check does not go on.
  update endpoint_check set status = 'failed', finished_at = concord_now(), owner = null, leased_until = null where status = 'running';
  update webhook_endpoint set check_status = 'failed', checked_at = concord_now() where check_status = 'running';
  delete from held_deliveries;
  if exists (select from delivery
    where status = 'pending' and next_attempt_at = 'infinity') or exists (select from mail)
    or exists (select from replay where completed_at is null)
  then
    insert into held_deliveries (taken_at) values (taken);
  end if;
end $$;
