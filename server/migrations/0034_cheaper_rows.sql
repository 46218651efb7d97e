-- Up Migration

-- These checks cost about a fifth of the inserts and a seventh of the recording. An event is only written with the publish lock, after its
-- partner was read, and deliveries with their event. An attempt is only written by the statement that changes its delivery. The history
-- of a partner is deleted before the partner (server/src/webhooks/history/store.ts).
alter table event drop constraint event_partner_id_fkey;
alter table delivery drop constraint delivery_partner_id_fkey;
alter table attempt drop constraint attempt_delivery_id_fkey;
