// The use cases of a resource in the form that surfaces build paths from: made from its rules, or written by hand as for users.

import type { AnyChange, ChangeOf, RecordOf, Resource } from '../../kit/resource.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import type { ListQuery } from '../../store/resources/table.ts';
import {
  changeRecord,
  countRecords,
  createRecord,
  deleteRecord,
  getRecord,
  listRecords,
  type ChangeRules,
  type DeleteRules,
  type Guard,
  type ResultPage,
  type Rules,
  type WriteRules,
} from './resource.ts';
import type { Work } from './work.ts';

export interface ReadActions<R extends Resource> {
  readonly resource: R;
  /** `knownAt` has an effect only where the resource has versions. */
  get(work: Work, id: string, knownAt?: number): Promise<RecordOf<R>>;
  list(work: Work, query: ListQuery): Promise<ResultPage<RecordOf<R>>>;
  count(work: Work, where: AnyChange): Promise<number>;
  /** The position in the list right after this record, to be passed as `after`. */
  positionOf(record: RecordOf<R>): string;
}

export interface DeleteActions<R extends Resource> extends ReadActions<R> {
  /** The refusals of deleting, besides those that the declaration says. */
  readonly deletionRefusals?: readonly RefusalCode[];
  delete(work: Work, id: string, guard?: Guard<R>): Promise<void>;
}

/** The refusals of creating and changing, besides those for an invalid document and for a reference that is not found. */
export interface WriteRefusals {
  readonly refusals: readonly RefusalCode[];
}

export interface CreateActions<R extends Resource> extends ReadActions<R>, WriteRefusals {
  create(work: Work, input: ChangeOf<R>): Promise<RecordOf<R>>;
}

export interface ChangeActions<R extends Resource> extends DeleteActions<R>, WriteRefusals {
  change(work: Work, id: string, input: ChangeOf<R>, guard?: Guard<R>): Promise<RecordOf<R>>;
}

export interface WriteActions<R extends Resource> extends CreateActions<R>, ChangeActions<R> {}

export function readActions<R extends Resource>(rules: Rules<R>): ReadActions<R> {
  return {
    resource: rules.resource,
    get: (work, id, knownAt) => getRecord(work, rules, id, knownAt),
    list: (work, query) => listRecords(work, rules, query),
    count: (work, where) => countRecords(work, rules, where),
    positionOf: ({ id }) => id,
  };
}

export function deleteActions<R extends Resource>(rules: DeleteRules<R>): DeleteActions<R> {
  const { deletionRefusals = [] } = rules;
  return {
    ...readActions(rules),
    deletionRefusals,
    delete: (work, id, guard) => deleteRecord(work, rules, id, guard),
  };
}

export function changeActions<R extends Resource>(rules: ChangeRules<R>): ChangeActions<R> {
  return {
    ...deleteActions(rules),
    refusals: rules.refusals,
    change: (work, id, input, guard) => changeRecord(work, rules, id, input, guard),
  };
}

export function writeActions<R extends Resource>(rules: WriteRules<R>): WriteActions<R> {
  return { ...changeActions(rules), create: (work, input) => createRecord(work, rules, input) };
}
