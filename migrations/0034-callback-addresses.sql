-- Each custodian has a redirect address of its own. Custodians that already have pages for consent keep the address that all of them
-- share, since that one is registered with them, until an administrator says that their own address is.

ALTER TABLE custodian ADD COLUMN uses_own_callback boolean NOT NULL DEFAULT true;
ALTER TABLE custodian ADD COLUMN has_shared_callback boolean NOT NULL DEFAULT false;
ALTER TABLE custodian NO FORCE ROW LEVEL SECURITY;
UPDATE custodian SET uses_own_callback = false, has_shared_callback = true WHERE authorization_url IS NOT NULL;
ALTER TABLE custodian FORCE ROW LEVEL SECURITY;
