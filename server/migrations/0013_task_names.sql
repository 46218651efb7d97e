-- Up Migration

-- These tasks have other names now.
delete from scheduled_task
where name in ('forget idempotent answers', 'forget expired sessions, tokens and counts', 'forget producer ids');
