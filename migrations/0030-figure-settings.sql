-- Settings of a client that its figures depend on: when a gain is long-term, when a point is stale, and the days a year of a volatility.
-- States of a client from before them (thing_version) have none; they count as having the defaults.
ALTER TABLE client
  ADD COLUMN long_term_months integer NOT NULL DEFAULT 12 CHECK (long_term_months BETWEEN 1 AND 1200),
  ADD COLUMN stale_days_listed integer NOT NULL DEFAULT 10 CHECK (stale_days_listed BETWEEN 1 AND 3650),
  ADD COLUMN stale_days_funds integer NOT NULL DEFAULT 45 CHECK (stale_days_funds BETWEEN 1 AND 3650),
  ADD COLUMN stale_days_private integer NOT NULL DEFAULT 120 CHECK (stale_days_private BETWEEN 1 AND 3650),
  ADD COLUMN volatility_days integer NOT NULL DEFAULT 252 CHECK (volatility_days BETWEEN 1 AND 366);
