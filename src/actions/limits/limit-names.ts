// The records that the filters of limits name: classes, instruments, portfolios and custodians. A limit that names nothing would
// always be compliant. So such a filter is refused, what a limit names is not deleted, and a limit whose record is gone is not evaluable.

import { isId, type Id } from '../../kit/id.ts';
import { findNearest } from '../../kit/nearest.ts';
import { Refusal, refusalForFaults, type Fault, type FaultItem } from '../../kit/refusal.ts';
import { resourceLabel, type AnyRecord, type Resource } from '../../kit/resource.ts';
import { isBuiltInId } from '../../model/instrument/built-in-id.ts';
import { instrument as instrumentResource } from '../../model/instrument/instrument.ts';
import { instrumentClass } from '../../model/instrument/instrument-class.ts';
import type { Limit } from '../../model/limit/limit.ts';
import {
  listConditions,
  type ConditionFilter,
  type LimitFilter,
  type LimitFilterField,
  type PlacedCondition,
} from '../../model/limit/limit-filter.ts';
import { custodian as custodianResource } from '../../model/structure/custodian.ts';
import { portfolio as portfolioResource } from '../../model/structure/portfolio.ts';
import { flagClient } from '../../store/queues/dirty-flags.ts';
import type { DeleteRules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import type { ReportBasis } from '../reports/report-basis.ts';

/** The resource whose ids are the values of a field; null for a field with other values. */
const namedResources = {
  'instrument_class.id': instrumentClass,
  'instrument_class.path': null,
  'instrument.id': instrumentResource,
  'instrument.type': null,
  issuer_country: null,
  tags: null,
  currency: null,
  custodian: custodianResource,
  'portfolio.id': portfolioResource,
} as const satisfies Readonly<Record<LimitFilterField, Resource | null>>;

/** How many records of a kind are compared with a name that does not exist. */
const candidatesMax = 1_000;
/** How many limits a refused deletion names. */
const limitsNamedMax = 5;

interface Named {
  readonly id: Id;
  readonly name: string;
}

/** A condition's values that are names of classes, each as what it says: one path from the root, or names at any level. */
function classNamesIn({ field, operator, value }: ConditionFilter): readonly (readonly string[])[] {
  if (field !== 'instrument_class.path') return [];
  return isWholePath(operator) ? [value] : value.map((name) => [name]);
}

function isWholePath(operator: ConditionFilter['operator']): boolean {
  switch (operator) {
    case 'equals':
    case 'starts_with':
      return true;
    case 'in':
    case 'not_in':
    case 'contains':
      return false;
  }
}

function isNamePresent(operator: ConditionFilter['operator'], names: readonly string[], paths: ClassPaths): boolean {
  return isWholePath(operator) ? paths.hasPath(names) : paths.hasName(names[0] ?? '');
}

interface ClassPaths {
  hasPath(path: readonly string[]): boolean;
  /** Whether a class at any level has the name. */
  hasName(name: string): boolean;
}

const pathText = (path: readonly string[]): string => path.join(' / ');

/** Refuses a filter of a client's limit whose values name nothing, with the nearest that exists. Locks the records that it names. */
export async function refuseUnknownNames(
  work: Work,
  { client, filter }: { readonly client: Id; readonly filter: LimitFilter },
): Promise<void> {
  const placed = listConditions(filter);
  const lists = await Promise.all([
    ...idResources.map((resource) => listIdFaults(work, { client, resource, placed })),
    listPathFaults(work, placed),
  ]);
  const faults = lists.flat();
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
}

interface PlacedValue {
  readonly value: string;
  readonly item: FaultItem;
}

/** Leads to a value; to the whole list where it has one value, which may have been sent as a text. */
function itemAt(path: PlacedCondition['path'], { value }: ConditionFilter, at: number): FaultItem {
  return [...path, 'value', ...(value.length === 1 ? [] : [at])];
}

/** The values that name records of a resource, without the instruments that the service provides. */
function valuesOf(resource: Resource, placed: readonly PlacedCondition[]): readonly PlacedValue[] {
  const values = placed
    .filter(({ condition }) => namedResources[condition.field] === resource)
    .flatMap(({ condition, path }) =>
      condition.value.map((value, at) => ({ value, item: itemAt(path, condition, at) })),
    );
  return resource === instrumentResource ? values.filter(({ value }) => !isBuiltInId(value)) : values;
}

const idResources = [instrumentClass, instrumentResource, portfolioResource, custodianResource] as const;

interface IdCheck {
  readonly client: Id;
  readonly resource: Resource;
  readonly placed: readonly PlacedCondition[];
}

async function listIdFaults(work: Work, { client, resource, placed }: IdCheck): Promise<Fault[]> {
  const values = valuesOf(resource, placed);
  if (values.length === 0) return [];
  const ids = [...new Set(values.map(({ value }) => value).filter(isId))];
  const locked = ids.length === 0 ? [] : await work.store.table(resource).lockReferenced(ids);
  const known = new Set<string>(
    locked.flatMap((record) => (record.client === null || record.client === client ? [record.id] : [])),
  );
  const unknown = values.filter(({ value }) => !known.has(value));
  if (unknown.length === 0) return [];
  const candidates = await listCandidates(work, client, resource);
  return unknown.map(({ value, item }) => {
    const nearest = findNearest(value, candidates, (one) => (isId(value) ? one.id : one.name));
    const suggestion = nearest === undefined ? '' : ` The nearest is ${nearest.id} (${nearest.name}).`;
    const detail = `There is no ${resourceLabel(resource)} ${JSON.stringify(value)}.${suggestion}`;
    return { code: 'invalid-attribute', detail, field: 'filter', item };
  });
}

/** Instruments are too many to compare with. */
async function listCandidates(work: Work, client: Id, resource: Resource): Promise<readonly Named[]> {
  if (resource === instrumentResource) return [];
  const where = resource === portfolioResource ? { client } : {};
  const records: readonly AnyRecord[] = await work.store.table(resource).list({ where, limit: candidatesMax });
  return records.map(({ id, name }) => ({ id, name: String(name) }));
}

async function listPathFaults(work: Work, placed: readonly PlacedCondition[]): Promise<Fault[]> {
  const named = placed.filter(({ condition }) => condition.field === 'instrument_class.path');
  if (named.length === 0) return [];
  const known = (await work.store.table(instrumentClass).list({ limit: candidatesMax })).map(({ path }) => path);
  const paths = knownPaths(known);
  return named.flatMap(({ condition, path }) =>
    classNamesIn(condition).flatMap((names, at) => {
      if (isNamePresent(condition.operator, names, paths)) return [];
      const isWhole = isWholePath(condition.operator);
      const candidates = isWhole ? known.map(pathText) : [...new Set(known.flat())];
      const nearest = findNearest(pathText(names), candidates, String);
      const suggestion = nearest === undefined ? '' : ` The nearest is ${JSON.stringify(nearest)}.`;
      const detail = `There is no instrument class ${JSON.stringify(pathText(names))}.${suggestion}`;
      const item = isWhole ? [...path, 'value'] : itemAt(path, condition, at);
      return [{ code: 'invalid-attribute', detail, field: 'filter', item }];
    }),
  );
}

function knownPaths(known: readonly (readonly string[])[]): ClassPaths {
  const paths = new Set(known.map((path) => JSON.stringify(path)));
  const names = new Set(known.flat());
  return { hasPath: (path) => paths.has(JSON.stringify(path)), hasName: (name) => names.has(name) };
}

/** The ids of instruments and custodians that limits name and that do not exist, or did not at a moment. */
export async function findGoneNames(
  work: Work,
  limits: readonly Pick<Limit, 'filter'>[],
  knownAt?: number,
): Promise<ReadonlySet<string>> {
  const placed = limits.flatMap(({ filter }) => listConditions(filter));
  const idsOf = (resource: Resource): readonly Id[] => [
    ...new Set(valuesOf(resource, placed).map(({ value }) => value as Id)),
  ];
  const [instruments, custodians] = [idsOf(instrumentResource), idsOf(custodianResource)];
  const [existingInstruments, existingCustodians] = await Promise.all([
    listExistingInstruments(work, instruments, knownAt),
    custodians.length === 0 ? [] : work.store.table(custodianResource).listVisibleIds(custodians),
  ]);
  const existing = new Set<string>([...existingInstruments, ...existingCustodians]);
  return new Set([...instruments, ...custodians].filter((id) => !existing.has(id)));
}

async function listExistingInstruments(work: Work, ids: readonly Id[], knownAt?: number): Promise<Iterable<Id>> {
  if (ids.length === 0) return [];
  const versions = work.store.recordVersions(instrumentResource);
  if (knownAt === undefined) return (await versions.listVersionNumbers(ids)).keys();
  return (await versions.listKnownAt({ ids }, knownAt)).map(({ id }) => id);
}

/** The first value of a filter that names nothing, in a sentence; undefined if each names something. */
export function findNothingNamed(
  { structure, classes }: Pick<ReportBasis, 'structure' | 'classes'>,
  filter: LimitFilter,
  gone: ReadonlySet<string>,
): string | undefined {
  const isThere: Readonly<Record<LimitFilterField, ((value: string) => boolean) | null>> = {
    'instrument_class.id': (id) => classes.path(id).length > 0,
    'instrument_class.path': null,
    'instrument.id': (id) => !gone.has(id),
    'instrument.type': null,
    issuer_country: null,
    tags: null,
    currency: null,
    custodian: (id) => !gone.has(id),
    'portfolio.id': (id) => structure.portfolios.has(id),
  };
  for (const { condition } of listConditions(filter)) {
    const { field, operator, value } = condition;
    const check = isThere[field];
    const missingId = check === null ? undefined : value.find((one) => !check(one));
    const missingPath = classNamesIn(condition).find((names) => !isNamePresent(operator, names, classes));
    const missing = missingId ?? (missingPath && pathText(missingPath));
    if (missing !== undefined)
      return `The filter names ${JSON.stringify(missing)} as ${field}, which does not exist or no longer does.`;
  }
  return undefined;
}

/** A record that limits can name, and the texts by which they do. */
interface Nameable {
  readonly id: Id;
  /** The path of a class. */
  readonly path?: readonly string[];
}

function namesRecord({ filter }: Pick<Limit, 'filter'>, { id, path }: Nameable): boolean {
  return listConditions(filter).some(({ condition }) => {
    if (namedResources[condition.field] !== null) return condition.value.includes(id);
    if (path === undefined) return false;
    const isWhole = isWholePath(condition.operator);
    return classNamesIn(condition).some((names) =>
      isWhole ? pathText(names) === pathText(path) : names[0] === path.at(-1),
    );
  });
}

async function listLimitsNaming(
  work: Work,
  record: Nameable,
): Promise<readonly Pick<Limit, 'id' | 'client' | 'name'>[]> {
  const texts = [record.id, ...(record.path?.slice(-1) ?? [])];
  const candidates = await work.store.limitStates.listLimitsWithText(texts);
  return candidates.filter((limit) => namesRecord(limit, record));
}

/** Refuses to delete a record while the filters of limits name it. */
async function refuseWhileNamed(work: Work, resource: Resource, record: Nameable): Promise<void> {
  const limits = await listLimitsNaming(work, record);
  if (limits.length === 0) return;
  const count = limits.length === 1 ? '1 limit names it' : `${limits.length} limits name it`;
  const listed = limits.slice(0, limitsNamedMax).map(({ id, name }) => `“${name}” (${id})`);
  const more = limits.length > limitsNamedMax ? ' and others' : '';
  const detail = `The ${resourceLabel(resource)} cannot be deleted while ${count}: ${listed.join(', ')}${more}.`;
  throw new Refusal('named-by-limits', detail);
}

/** The same rules, by which a record that limits name cannot be deleted. */
export function keepingNamed<R extends Resource, Rules extends DeleteRules<R>>(rules: Rules & DeleteRules<R>): Rules {
  return {
    ...rules,
    deletionRefusals: ['named-by-limits'],
    async beforeDelete(work: Work, record: Parameters<NonNullable<DeleteRules<R>['beforeDelete']>>[1]) {
      await refuseWhileNamed(work, rules.resource, record as Nameable);
      await rules.beforeDelete?.(work, record);
    },
  };
}

/** Has the limits that name a record evaluated again, since it is deleted. */
export async function flagLimitsNaming(work: Work, record: Nameable): Promise<void> {
  const clients = new Set((await listLimitsNaming(work, record)).map(({ client }) => client));
  for (const client of [...clients].toSorted()) flagClient(work.store, client, { cause: 'limit', now: work.now });
}
