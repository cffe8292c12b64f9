-- Beside the primary key, indexes of clients share the workspace alone with it. While a table is new and the planner knows nothing of its rows,
-- it takes any index that begins with the whole tenant for as good as the key, and the check of each new client's parent then reads all
-- clients of the tenant: 30 seconds for 10,000 clients that are created at once, instead of one.

DROP INDEX client_by_parent;
CREATE INDEX client_by_parent ON client (workspace_id, parent_id, id);
DROP INDEX client_by_tree_version;
CREATE INDEX client_by_tree_version ON client (workspace_id, tree_version);
