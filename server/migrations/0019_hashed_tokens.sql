-- Up Migration

-- Tokens of sessions and of auth.verification are stored as hashes (accounts/better-auth/hashed-tokens.ts). What exists goes on
-- working. The checks stop an older program that still runs: it cannot store a plain token.
update auth.session set token = encode(sha256(convert_to(token, 'UTF8')), 'hex');
alter table auth.session add constraint session_token_is_hashed check (token ~ '^[0-9a-f]{64}$');

-- The value of a visit to a provider is now sealed. Visits that have begun start again; they last ten minutes.
delete from auth.verification where starts_with(identifier, 'auth-state:');
-- The prefix stays readable, for the triggers of migration 0006.
update auth.verification
set identifier = coalesce(substring(identifier from '^(?:2fa-|trust-device-|reset-password:)'), '')
  || encode(sha256(convert_to(identifier, 'UTF8')), 'hex');
alter table auth.verification add constraint verification_identifier_is_hashed
  check (identifier ~ '^(2fa-|trust-device-|reset-password:|auth-state:)?[0-9a-f]{64}$');
