-- Up Migration

-- When a mail warned the person that the agreement, or the access token, ends soon. Null: no mail has warned of this end.
alter table agreement add column warned_at moment;
alter table access_token add column warned_at moment;

-- A new end needs a new warning.
create function forget_warning() returns trigger language plpgsql as $$
begin
  new.warned_at := null;
  return new;
end $$;
create trigger agreement_forgets_warning before update of expires_at on agreement
  for each row when (old.expires_at is distinct from new.expires_at) execute function forget_warning();
create trigger access_token_forgets_warning before update of expires_at on access_token
  for each row when (old.expires_at is distinct from new.expires_at) execute function forget_warning();

create index agreement_to_warn on agreement (expires_at) where user_id is not null and expires_at is not null and warned_at is null;
create index access_token_to_warn on access_token (expires_at) where warned_at is null;
