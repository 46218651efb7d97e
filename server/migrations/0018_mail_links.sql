-- Up Migration

-- All links in mails to users are ours now. Links of earlier versions hold tokens of better-auth, which no longer work.
delete from auth.mail_link;
delete from auth.verification where starts_with(identifier, 'reset-password:');
alter table auth.mail_link
  add column purpose text not null check (purpose in ('reset_password', 'change_email', 'delete_user')),
  -- The new address, and the session that asked for it, which can complete the change without the password.
  add column email text,
  add column session_id text,
  -- Guesses at the password. A link with ten of them is dead.
  add column guesses integer not null default 0,
  add constraint mail_link_has_its_change check ((purpose = 'change_email') = (email is not null and session_id is not null));
create index mail_link_user_id on auth.mail_link (user_id);
alter table auth.pending_sign_up add column guesses integer not null default 0;

-- A changed password or address ends the links of the user.
create function auth.password_ends_links() returns trigger language plpgsql as $$
begin
  delete from auth.mail_link where user_id = new.user_id;
  return null;
end $$;
create trigger password_ends_links after update of password on auth.account
  for each row when (old.password is distinct from new.password) execute function auth.password_ends_links();
create function auth.email_ends_links() returns trigger language plpgsql as $$
begin
  delete from auth.mail_link where user_id = new.id;
  return null;
end $$;
create trigger email_ends_links after update of email on auth."user"
  for each row when (old.email is distinct from new.email) execute function auth.email_ends_links();

-- The first password of a user who signed in with a provider ends what a changed password ends.
create trigger password_set after insert on auth.account
  for each row when (new.password is not null) execute function auth.password_changed();
create trigger password_set_ends_links after insert on auth.account
  for each row when (new.password is not null) execute function auth.password_ends_links();

-- How many mails told a user about changes of one kind since the first of them. A new hour starts a new count.
create table auth.notice_count (
  user_id text not null references auth."user" (id) on delete cascade,
  kind text not null,
  since timestamptz not null,
  sent integer not null,
  primary key (user_id, kind)
);
