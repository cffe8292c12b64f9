-- Holds the place of a migration of another branch. Deleted when the branches are merged.
SELECT 1;
