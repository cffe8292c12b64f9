// New records: sent with the next statement or with the commit, and known before the database answers, so that creating one waits only for
// what it refers to.

import { snakeCaseStrings } from '../../kit/field.ts';
import type { FieldSelection } from '../../kit/field-selection.ts';
import type { Id } from '../../kit/id.ts';
import { parseJson, writeJson } from '../../kit/json.ts';
import {
  isToMany,
  type AnyChange,
  type AnyRecord,
  type Attribute,
  type Resource,
  type ToMany,
} from '../../kit/resource.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { memoized, type Statement, type Value } from '../postgres/statement.ts';
import {
  columnOf,
  lookedUpColumns,
  ownerColumn,
  returningSql,
  selectedSets,
  tenantFilterSql,
  tenantFilterValues,
  toColumn,
} from './resource-sql.ts';
import { putSearchWords } from './search-words.ts';

interface RecordWriter {
  readonly scope: Scope;
  readonly run: Run;
  readonly fields: FieldSelection;
}

/** Inserts a row with the fields of these names, and returns what is selected of it. */
export function insertCall<Row>(
  { resource, name, scope }: { readonly resource: Resource; readonly name: string; readonly scope: Scope },
  { id, fields, names }: { readonly id: Id; readonly fields: AnyChange; readonly names: readonly string[] },
  selected = '',
): [Statement<Row>, Value[]] {
  const verb = selected === '' ? 'append' : 'insert';
  const statement = memoized<Row>(`${name}/${verb}/${names.join()}`, () => {
    const columns = names.map((field) => columnOf(resource, field));
    const values = columns.map((_, index) => `$${4 + index}`);
    const into = `${resource.table} AS t (workspace_id, environment, id, ${columns.join(', ')})`;
    return returningSql(`INSERT INTO ${into} VALUES ($1, $2, $3, ${values.join(', ')})`, selected);
  });
  const columnValues = names.map((field) => toColumn(fields[field], resource, field));
  return [statement, [scope.workspaceId, scope.environment, id, ...columnValues]];
}

/** The fields that are columns, and those that are sets of links. */
export function splitFields(
  { relations }: Resource,
  fields: AnyChange,
): { columns: string[]; sets: [string, ToMany][] } {
  const columns: string[] = [];
  const sets: [string, ToMany][] = [];
  for (const name of Object.keys(fields).toSorted()) {
    const relation = relations[name];
    if (relation !== undefined && isToMany(relation)) sets.push([name, relation]);
    else columns.push(name);
  }
  return { columns, sets };
}

/** Replaces a set of links. A link stores the client of the record it starts from, so that the database refuses links to other clients' records. */
export function replaceSetCall(
  { resource, scope }: { readonly resource: Resource; readonly scope: Scope },
  [name, { many }]: readonly [string, ToMany],
  { id, ids }: { readonly id: string; readonly ids: readonly Id[] },
): [Statement<unknown>, Value[]] {
  const { table, column, otherColumn } = many;
  const statement = memoized(
    `${resource.type}/${scope.visibleClients.kind}/replace/${name}`,
    () => `WITH own AS (SELECT t.workspace_id, t.environment, ${ownerColumn(resource)} AS client_id, t.id
        FROM ${resource.table} t WHERE ${tenantFilterSql(resource, scope.visibleClients.kind)} AND t.id = $4),
      gone AS (DELETE FROM ${table} l USING own WHERE l.workspace_id = $1
        AND l.environment = $2 AND l.${column} = own.id AND l.${otherColumn} <> ALL ($5::text[]))
      INSERT INTO ${table} (workspace_id, environment, client_id, ${column}, ${otherColumn})
      SELECT own.*, other FROM own, unnest($5::text[]) other ORDER BY other ON CONFLICT DO NOTHING`,
  );
  return [statement, [...tenantFilterValues(scope), id, ids]];
}

/** All fields that are columns of the record's own row. */
function ownFields({ attributes, relations }: Resource): string[] {
  const stored = Object.entries(attributes).filter(([, { computed, through }]) => !computed && !through);
  const toOne = Object.entries(relations).filter(([, relation]) => !isToMany(relation));
  return [...stored, ...toOne].map(([name]) => name);
}

/** A stored value as it is read again. */
function asRead(value: unknown, { attributes }: Resource, field: string): unknown {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.getTime();
  return attributes[field]?.kind.isStructured ? parseJson(writeJson(value)) : value;
}

const freeFormCache = new WeakMap<Resource, readonly string[]>();

/** The fields that hold objects of any form, whose members the database puts in an order of its own. Found once for each resource. */
function freeFormFields(resource: Resource): readonly string[] {
  let names = freeFormCache.get(resource);
  if (names === undefined) {
    const isFreeForm = ({ kind, computed }: Attribute): boolean =>
      computed === undefined && kind.isStructured === true && !!kind.schema(snakeCaseStrings)['additionalProperties'];
    names = Object.entries(resource.attributes).flatMap(([name, attribute]) => (isFreeForm(attribute) ? [name] : []));
    freeFormCache.set(resource, names);
  }
  return names;
}

/** Some records show in which environment they are: the scope says it. */
const tenantField = 'environment';

export class NewRecords<R extends AnyRecord = AnyRecord> {
  readonly #resource: Resource;
  readonly #writer: RecordWriter;

  constructor(resource: Resource, writer: RecordWriter) {
    this.#resource = resource;
    this.#writer = writer;
  }

  /**
   * Reads what only the database can say about a record with these fields: what is shown of the records that it refers to, and how objects of
   * any form are stored. Issued together with what locks the referred records, it takes no round trip.
   */
  async readRelated(fields: AnyChange): Promise<AnyChange> {
    const { scope, run, fields: selection } = this.#writer;
    const lookedUp = lookedUpColumns(this.#resource, selection);
    const wanted = lookedUp.filter(({ relation }) => fields[relation] != null);
    const freeForm = freeFormFields(this.#resource).filter((name) => fields[name] != null);
    const missing = Object.fromEntries(lookedUp.map(({ name }) => [name, null]));
    const names = [...wanted.map(({ name }) => name), ...freeForm];
    if (names.length === 0) return missing;
    const statement = memoized<AnyChange>(`${this.#resource.type}/related/${names.join()}`, () => {
      const columns = wanted.map(
        ({ name, table, column }, index) =>
          `(SELECT e.${column} FROM ${table} e WHERE e.workspace_id = $1 AND e.environment = $2 AND e.id = $${3 + index}) AS "${name}"`,
      );
      const stored = freeForm.map((name, index) => `$${3 + wanted.length + index}::jsonb AS "${name}"`);
      return `SELECT ${[...columns, ...stored].join(', ')} WHERE $1::text IS NOT NULL AND $2::text IS NOT NULL`;
    });
    const values = [...wanted.map(({ relation }) => relation), ...freeForm].map((name) =>
      toColumn(fields[name], this.#resource, name),
    );
    const { rows } = await run(statement, [scope.workspaceId, scope.environment, ...values]);
    return { ...missing, ...rows[0] };
  }

  /** The columns of a record with these fields, as they will be read. */
  asRead(id: Id, fields: AnyChange): R {
    const resource = this.#resource;
    const { environment } = this.#writer.scope;
    const record: Record<string, unknown> & { id: Id } = { id };
    for (const field of ownFields(resource))
      record[field] = field === tenantField ? environment : asRead(fields[field], resource, field);
    return record as R;
  }

  /**
   * Enqueues the record, with all its columns, and returns it as it will be read. `related` is what was read of the records that it refers to;
   * what the fields themselves say of these takes precedence.
   */
  put(id: Id, fields: AnyChange, related: AnyChange): R {
    const resource = this.#resource;
    const { scope, run, fields: selection } = this.#writer;
    const own = ownFields(resource);
    const { columns, sets } = splitFields(resource, fields);
    const isLookedUp = (field: string): boolean => resource.attributes[field]?.through !== undefined;
    const names = [...new Set([...own, ...columns])].filter((field) => field !== tenantField && !isLookedUp(field));
    const name = `${resource.type}/${scope.visibleClients.kind}`;
    run.enqueue(...insertCall({ resource, name, scope }, { id, fields, names: names.toSorted() }));
    const known = Object.fromEntries(columns.filter(isLookedUp).map((field) => [field, fields[field]]));
    const record: Record<string, unknown> & AnyRecord = { ...this.asRead(id, fields), ...related, ...known };
    for (const [set] of selectedSets(resource, selection)) record[set] = [];
    putSearchWords(run, scope, { resource, record, isNew: true });
    for (const set of sets) {
      const ids = (fields[set[0]] as readonly Id[]).toSorted();
      run.enqueue(...replaceSetCall({ resource, scope }, set, { id, ids }));
      record[set[0]] = ids;
    }
    return record as R;
  }
}
