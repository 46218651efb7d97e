-- Up Migration

-- Tokens in the mails of invitations. They prove the invited address. Invitations from before have none: their mails ask for a PATCH,
-- which still works, and sending one again mails a link.
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
  update auth.invitation_token set ended = how, email = null, inviter_id = null where agreement_id = of_agreement and ended is null
$$;

-- Every way to accept or delete an invitation ends its token.
create function auth.invitation_answered() returns trigger language plpgsql as $$
begin
  perform auth.end_invitation_token(old.id, case when tg_op = 'UPDATE' then 'accepted' else 'withdrawn' end);
  return null;
end $$;
create trigger agreement_accepted_ends_invitation after update of user_id on agreement
  for each row when (old.user_id is null and new.user_id is not null) execute function auth.invitation_answered();
create trigger agreement_deleted_ends_invitation after delete on agreement
  for each row when (old.user_id is null) execute function auth.invitation_answered();
