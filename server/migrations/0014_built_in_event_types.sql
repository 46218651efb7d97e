-- Up Migration

-- The types that are built in cannot be changed (behaviour W26). Where an operator had replaced one, its schema is the contract's again,
-- and the operator's definition stays under another name.
alter table event_type add column built_in boolean not null default false;

create temporary table contract (name text, description text, schema jsonb, example jsonb) on commit drop;
insert into contract values
  ('inventory.updated', 'The quantity of an article has changed.', '{
      "type": "object", "required": ["sku", "quantity"], "properties": {
        "sku": {"type": "string"}, "quantity": {"type": "integer", "minimum": 0}, "location": {"type": ["string", "null"]},
        "updated_at": {"type": "string", "format": "date-time"}}}',
    '{"sku": "NX-1", "quantity": 12, "location": "Oslo", "updated_at": "2026-01-01T00:00:00.000Z"}'),
  ('order.status_changed', 'An order has another status.', '{
      "type": "object", "required": ["order_id", "status"], "properties": {
        "order_id": {"type": "string"}, "status": {"type": "string"}, "previous_status": {"type": ["string", "null"]},
        "changed_at": {"type": "string", "format": "date-time"}}}',
    '{"order_id": "1001", "status": "shipped", "previous_status": "packed", "changed_at": "2026-01-01T00:00:00.000Z"}');

insert into event_type (name, description, schema, example)
select name || '.replaced', event_type.description, event_type.schema, event_type.example
from event_type join contract using (name)
where (event_type.description, event_type.schema, event_type.example) is distinct from (contract.description, contract.schema, contract.example)
on conflict (name) do nothing;

update event_type set description = contract.description, schema = contract.schema, example = contract.example, built_in = true,
  updated_at = greatest(concord_now(), event_type.updated_at + interval '1 millisecond')
from contract where event_type.name = contract.name;

create function refuse_change_of_built_in() returns trigger language plpgsql as $$
begin
  raise exception 'The event type % is built in', old.name using errcode = 'check_violation';
end $$;
create trigger event_type_built_in before update or delete on event_type
  for each row when (old.built_in) execute function refuse_change_of_built_in();
