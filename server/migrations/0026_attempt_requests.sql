-- Up Migration

-- What the request of an attempt cannot be rebuilt from later. Null: the attempt is older, or no request was signed.
alter table attempt
  add column url text,
  -- The `created` of the signature, in Unix seconds.
  add column created bigint,
  add column key_id text,
  add column signature bytea;
-- Not checked for the rows that exist, since their four columns are null and there can be very many.
alter table attempt add constraint attempt_signed check (num_nulls(url, created, key_id, signature) in (0, 4)) not valid;
