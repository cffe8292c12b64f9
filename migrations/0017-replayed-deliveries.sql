-- The 24 hours of a delivery count from when it was ready for its webhook: when it was queued, or when it was queued again. Null where it
-- was never replayed, so that no row has to be rewritten.
ALTER TABLE delivery ADD COLUMN replayed_at timestamptz;
