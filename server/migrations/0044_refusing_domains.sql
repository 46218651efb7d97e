-- Up Migration

-- The domain whose answer about its recipient delays a mail: an HMAC under the key of `recipient`. Null: it is not delayed by such an answer.
alter table mail add column refusing_domain bytea;
