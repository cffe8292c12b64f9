-- Which instruments a learned word has meant before: an old file that comes again does not bring them back.

ALTER TABLE identifier_mapping ADD COLUMN earlier_instruments text[] COLLATE "C" NOT NULL DEFAULT '{}';
