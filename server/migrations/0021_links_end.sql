-- Up Migration

-- Enabling the second factor ends what was asked for without it, and a ban ends what the user asked for before.
create trigger second_factor_ends_links after update of two_factor_enabled on auth."user"
  for each row when (new.two_factor_enabled and old.two_factor_enabled is not true) execute function auth.email_ends_links();
create trigger ban_ends_links after update of banned on auth."user"
  for each row when (new.banned) execute function auth.email_ends_links();
