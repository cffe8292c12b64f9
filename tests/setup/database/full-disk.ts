// What PostgreSQL does when it needs new space and the disk is full, and when it accepts no changes, caused by statements.

const refuse = `RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'`;

/** Nothing can be inserted into the table, and no table can be created. */
export function fillDiskFor(table: string): string {
  return `
  CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${refuse}; END $$;
  CREATE FUNCTION no_room_for_tables() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN ${refuse}; END $$;
  CREATE TRIGGER no_room BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION no_room();
  CREATE EVENT TRIGGER no_room_for_tables ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS')
    EXECUTE FUNCTION no_room_for_tables()`;
}

export function freeDiskFor(table: string): string {
  return `DROP EVENT TRIGGER no_room_for_tables; DROP TRIGGER no_room ON ${table};
  DROP FUNCTION no_room(); DROP FUNCTION no_room_for_tables()`;
}

/** For connections from now on: run `reconnectNodes` afterwards. */
export function makeReadOnly(databaseName: string): string {
  return `ALTER DATABASE "${databaseName}" SET default_transaction_read_only = on`;
}

export function makeWritable(databaseName: string): string {
  return `BEGIN READ WRITE; ALTER DATABASE "${databaseName}" RESET default_transaction_read_only; COMMIT`;
}

/** Ends the connections of all nodes to this database, and waits until they have ended. */
export const reconnectNodes = `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'holdfast'`;

const everyTable = `SELECT c.oid::regclass::text AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY 1`;

/** Nothing can be written into any table, and no table can be created. */
export const fillDisk = `${fillDiskFor('schema_migration')};
  DO $$ DECLARE found record; BEGIN
    FOR found IN ${everyTable} LOOP
      EXECUTE format('CREATE TRIGGER no_room_at_all BEFORE INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION no_room()', found.name);
    END LOOP;
  END $$`;

export const freeDisk = `DO $$ DECLARE found record; BEGIN
    FOR found IN ${everyTable} LOOP EXECUTE format('DROP TRIGGER no_room_at_all ON %s', found.name); END LOOP;
  END $$;
  ${freeDiskFor('schema_migration')}`;
