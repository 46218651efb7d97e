-- Up Migration

-- Behaviour A7: the refusal names the partner, as the detail of the error. Otherwise the function is that of migration 0009.
create or replace function keep_an_owner(of_partner uuid, without_user text) returns void language plpgsql as $$
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
