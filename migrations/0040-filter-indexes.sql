-- An index for each filter of a list that had none: without it, a list reads all rows of the workspace to leave most of them out. They
-- end with the id, in whose order lists are read.

CREATE INDEX account_by_currency ON account (workspace_id, environment, ccy_code, id);
CREATE INDEX account_excluded ON account (workspace_id, environment, exclude_from_reporting, id);
CREATE INDEX custodian_by_name ON custodian (workspace_id, environment, name, id);
CREATE INDEX import_by_state ON import (workspace_id, environment, state, id);
CREATE INDEX import_by_origin ON import (workspace_id, environment, origin, id);
CREATE INDEX auth_flow_by_state ON auth_flow (workspace_id, environment, state, id);
CREATE INDEX authority_by_state ON authority (workspace_id, environment, state, id);
CREATE INDEX instrument_class_named ON instrument_class (workspace_id, environment, name, id);
CREATE INDEX instrument_class_by_parent ON instrument_class (workspace_id, environment, parent_id, id);
CREATE INDEX identifier_mapping_by_kind ON identifier_mapping (workspace_id, environment, kind, id);
CREATE INDEX identifier_mapping_by_scheme ON identifier_mapping (workspace_id, environment, scheme, id);
CREATE INDEX identifier_mapping_by_text ON identifier_mapping (workspace_id, environment, value, id);
CREATE INDEX identifier_mapping_by_source ON identifier_mapping (workspace_id, environment, source, id);
CREATE INDEX historical_holding_by_kind ON historical_holding (workspace_id, environment, kind, date, id) WHERE known_until IS NULL;
CREATE INDEX limit_rule_by_kind ON limit_rule (workspace_id, environment, kind, id);
CREATE INDEX limit_state_breach_by_standing ON limit_state (workspace_id, environment, standing, id) WHERE state = 'breached';
CREATE INDEX limit_state_breach_of_entity ON limit_state (workspace_id, environment, reporting_entity_id, id) WHERE state = 'breached';
CREATE INDEX calculation_round_by_state ON calculation_round (workspace_id, environment, state, id);
CREATE INDEX feed_run_by_state ON feed_run (workspace_id, environment, state, id);
CREATE INDEX reconciliation_break_by_class ON reconciliation_break (workspace_id, environment, class, id);
CREATE INDEX reconciliation_break_by_date ON reconciliation_break (workspace_id, environment, date, id);
CREATE INDEX reconciliation_break_of_instrument ON reconciliation_break (workspace_id, environment, instrument_id, id)
  WHERE instrument_id IS NOT NULL;
CREATE INDEX invite_open ON invite (workspace_id, environment, expires_at, id) WHERE accepted_at IS NULL AND cancelled_at IS NULL;
CREATE INDEX invite_accepted ON invite (workspace_id, environment, id) WHERE accepted_at IS NOT NULL;
CREATE INDEX invite_cancelled ON invite (workspace_id, environment, id) WHERE cancelled_at IS NOT NULL;
CREATE INDEX credential_by_kind ON credential (workspace_id, environment, kind, id);
CREATE INDEX webhook_by_state ON webhook (workspace_id, environment, state, id);
CREATE INDEX delivery_by_state ON delivery (workspace_id, webhook_id, state, id);
CREATE INDEX audit_entry_by_act ON audit_entry (workspace_id, environment, act, id);

-- Lines are asked for by what they are about, and by the credential that caused them, with or without a type.
DROP INDEX audit_entry_by_subject, audit_entry_by_credential;
CREATE INDEX audit_entry_by_subject ON audit_entry (workspace_id, environment, subject_id, id);
CREATE INDEX audit_entry_by_subject_type ON audit_entry (workspace_id, environment, subject_type, id);
CREATE INDEX audit_entry_by_credential ON audit_entry (workspace_id, environment, credential_id, id);

-- Also finds the instruments that all clients share.
DROP INDEX instrument_by_client;
CREATE INDEX instrument_by_client ON instrument (workspace_id, environment, client_id, id);

CREATE INDEX event_by_type ON event (workspace_id, environment, type, id);
