-- The attempt that delivered is a part of its delivery: most deliveries have no other, and a row of its own with its keys would cost as
-- much again. Failed attempts have rows of their own.
ALTER TABLE delivery
  ADD COLUMN attempt_at timestamptz,
  ADD COLUMN attempt_status int,
  ADD COLUMN attempt_ms int,
  ADD COLUMN attempt_answer text,
  ADD CHECK (attempt_at IS NULL OR (state = 'delivered' AND attempt_status IS NOT NULL AND attempt_ms IS NOT NULL));
