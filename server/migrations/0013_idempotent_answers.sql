-- Up Migration

-- An answer is kept as it was sent. Those of events were wrapped in an object.
update idempotent_answer set body = body::jsonb ->> 'text' where starts_with(body, '{"text":');

-- These tasks have other names now.
delete from scheduled_task
where name in ('forget idempotent answers', 'forget expired sessions, tokens and counts', 'forget producer ids');
