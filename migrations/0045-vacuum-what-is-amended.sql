-- By default PostgreSQL vacuums a table once a fifth of its rows are dead, and analyzes it once a tenth has changed. A ledger of ten million rows would
-- wait for two million amendments: 100,000 left 100,000 dead rows, which every report read past and which kept pages from being all-visible. These
-- settings need no lock that readers or writers wait for. A server that spreads tables passes them on to the shards.
--
-- The two indexes of events, a third of what events take on the disk, stay: both are read. event_of_client: `GET /v1/events` with client_id, and every list of
-- somebody who sees some clients, which is merged over them. event_by_type: the same list with type. The primary key serves the rest: the list of who sees
-- all, the hand-out of an outbox entry, and the deletion by age.

-- Versions: an amendment closes a row (a dead one) and adds another. 100,000 amendments of ten million rows are vacuumed. Rows that are only added are
-- looked at after a twentieth, so that index-only scans know them as visible to all.
ALTER TABLE transaction SET (autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE series_point SET (autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE fx_rate SET (autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE historical_holding SET (autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE record_version SET (autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE instrument SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE stated_entry SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE stated_holding SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE import_row SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.02);

-- Kept for a time and then deleted by age, some thousand at once; deliveries change their state besides.
ALTER TABLE event SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE delivery SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE delivery_attempt SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE idempotent_answer SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE request_log SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE calculation_round SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE announced_holding SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
ALTER TABLE limit_state SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

-- Short tables whose rows change with every booking, round or delivery: the share of dead rows says nothing, so their number decides.
ALTER TABLE environment SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE account_ledger SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE booking_count SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE series_ledger SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE rate_ledger SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE event_order SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE delivery_queue SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE unchained_audit_entry SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE audit_chain SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE round_mark SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE shared_round_mark SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE budget SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE session SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
