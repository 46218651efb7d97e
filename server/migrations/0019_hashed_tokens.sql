-- Up Migration

-- Tokens of sessions and of auth.verification are stored as hashes (accounts/better-auth/hashed-tokens.ts). What exists goes on
-- working. The checks stop an older program that still runs: it cannot store a plain token.
-- For large tables: a new type of a column rewrites the table and its indexes, which is faster than an update of each row, and a bound
-- such as {64} in an expression makes it 50 times slower.
alter table auth.session
  alter column token type text using encode(sha256(convert_to(token, 'UTF8')), 'hex'),
  add constraint session_token_is_hashed check (length(token) = 64 and token ~ '^[0-9a-f]+$');

-- The value of a visit to a provider is now sealed. Visits that have begun start again; they last ten minutes.
delete from auth.verification where starts_with(identifier, 'auth-state:');
-- The prefix stays readable, for the triggers of migration 0006.
alter table auth.verification
  alter column identifier type text using coalesce(substring(identifier from '^(?:2fa-|trust-device-|reset-password:)'), '')
    || encode(sha256(convert_to(identifier, 'UTF8')), 'hex'),
  add constraint verification_identifier_is_hashed
    check (length(identifier) >= 64 and identifier ~ '^(2fa-|trust-device-|reset-password:|auth-state:)?[0-9a-f]+$');
