-- Up Migration

-- The last events of a type, which a change of its schema is checked against (behaviour W26).
create index event_of_type on event (type, id);
