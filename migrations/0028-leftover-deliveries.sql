-- outside a transaction: the key of very many deliveries is dropped while events are sent
--
-- No foreign key looks up the webhook of each delivery, which cost as much as the rest of its insert: events are handed out to webhooks that the
-- transaction has locked, once each. A webhook is deleted without its deliveries, of which there may be millions; a job deletes them some
-- at a time, once their webhook is gone. To find them it has to see which webhooks have deliveries.

SET lock_timeout = '1s';
ALTER TABLE delivery DROP CONSTRAINT IF EXISTS delivery_workspace_id_environment_webhook_id_fkey;
ALTER POLICY kept ON delivery
  USING (state <> 'pending' AND id < current_setting('holdfast.dropped_before', true)
    OR webhook_id = current_setting('holdfast.dropped_webhook', true) OR current_user <> 'holdfast_service');
DROP POLICY IF EXISTS pre_auth ON delivery;
CREATE POLICY pre_auth ON delivery FOR SELECT TO holdfast_pre_auth USING (true);
SET lock_timeout = 0;
GRANT SELECT (workspace_id, webhook_id) ON delivery TO holdfast_pre_auth;
