-- A run of a feed counts how often each file ended an attempt, not only the last one: a file that other files arrive in front of with every
-- attempt was never parked. By digest; an entry goes once its file is booked.
ALTER TABLE feed_run ADD COLUMN earlier_files jsonb NOT NULL DEFAULT '{}'::jsonb;
