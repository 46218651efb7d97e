-- Up Migration

-- Event types, each with the JSON Schema of its data. Operators add more.
create table event_type (
  name text primary key check (name ~ '^[a-z0-9_]+(\.[a-z0-9_]+)*$' and char_length(name) <= 100),
  description text not null check (char_length(description) <= 2000),
  -- JSON Schema of `data`, draft 2020-12.
  schema jsonb not null,
  example jsonb not null,
  created_at moment not null default concord_now(),
  updated_at moment not null default concord_now()
);

insert into event_type (name, description, schema, example) values
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

-- The webhook endpoints of partners.
create table webhook_endpoint (
  id uuid primary key,
  partner_id uuid not null references partner (id) on delete cascade,
  url text not null check (char_length(url) <= 2048),
  description text check (char_length(description) <= 2000),
  -- Null: all types.
  event_types text[],
  environment text not null check (environment in ('live', 'sandbox')),
  ordering text not null check (ordering in ('none', 'strict')),
  max_concurrency integer not null check (max_concurrency between 1 and 64),
  rate_limit_per_second integer check (rate_limit_per_second between 1 and 1000),
  header_names text[] not null,
  -- {name: value}, sealed. Null when there are none.
  sealed_headers bytea,
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  disabled_reason text,
  created_at moment not null default concord_now(),
  updated_at moment not null default concord_now(),
  check (updated_at >= created_at),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((sealed_headers is null) = (header_names = '{}'))
);
create index webhook_endpoint_partner on webhook_endpoint (partner_id, id);
