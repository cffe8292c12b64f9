-- The issuer that a custodian's answers to requests for consent have to name (RFC 9207); null if it names none.
ALTER TABLE custodian ADD COLUMN oauth_issuer text;
