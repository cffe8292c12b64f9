// The filter of a limit while somebody edits it: read from the fields of the form, changed by its buttons, and turned into the API's.

import {
  limitFilterFields,
  operatorsForField,
  type LimitFilter,
  type LimitFilterField,
} from '../../../../model/limit/limit-filter.ts';

/** A condition as typed: the API says what is wrong with it. */
export interface ConditionDraft {
  readonly kind: 'condition';
  readonly field: LimitFilterField;
  readonly operator: string;
  readonly values: readonly string[];
}

export interface GroupDraft {
  readonly kind: 'and' | 'or';
  readonly filters: readonly FilterDraft[];
}

export type FilterDraft = ConditionDraft | GroupDraft;

/** The name of the outermost group; those within it have their places after it: `filter.0.1`. */
export const rootName = 'filter';

/** More than the API takes, so that it can say so. */
const draftDepthMax = 11;
const draftNodesMax = 600;

export const newCondition: ConditionDraft = {
  kind: 'condition',
  field: 'instrument_class.path',
  operator: 'starts_with',
  values: [],
};

export const emptyDraft: GroupDraft = { kind: 'and', filters: [newCondition] };

export function isFilterField(name: string): name is LimitFilterField {
  return Object.hasOwn(limitFilterFields, name);
}

/** The outermost filter of the editor is always a group: a single condition stands in one. */
export function draftOf(filter: LimitFilter): GroupDraft {
  const draft = toDraft(filter);
  return draft.kind === 'condition' ? { kind: 'and', filters: [draft] } : draft;
}

function toDraft(filter: LimitFilter): FilterDraft {
  if (filter.kind !== 'condition') return { kind: filter.kind, filters: filter.filters.map(toDraft) };
  const { kind, field, operator, value } = filter;
  return { kind, field, operator, values: value };
}

/** A group around one filter is that filter. */
export function filterOf({ kind, filters }: GroupDraft): object {
  const [only] = filters;
  return filters.length === 1 && only !== undefined ? toFilter(only) : { kind, filters: filters.map(toFilter) };
}

function toFilter(draft: FilterDraft): object {
  if (draft.kind !== 'condition') return { kind: draft.kind, filters: draft.filters.map(toFilter) };
  const { kind, field, operator, values } = draft;
  return { kind, field, operator, value: values };
}

export function readDraft(fields: URLSearchParams): GroupDraft {
  const budget = { nodes: draftNodesMax };
  const draft = readNode(fields, rootName, { depth: 1, budget });
  return draft === undefined || draft.kind === 'condition' ? { kind: 'and', filters: [] } : draft;
}

interface ReadingPlace {
  readonly depth: number;
  readonly budget: { nodes: number };
}

function readNode(fields: URLSearchParams, name: string, { depth, budget }: ReadingPlace): FilterDraft | undefined {
  const kind = fields.get(`${name}.kind`);
  if (kind === null || depth > draftDepthMax || budget.nodes-- <= 0) return undefined;
  if (kind === 'condition') return readCondition(fields, name);
  const filters: FilterDraft[] = [];
  for (let index = 0; fields.has(`${name}.${index}.kind`); index++) {
    const inner = readNode(fields, `${name}.${index}`, { depth: depth + 1, budget });
    if (inner !== undefined) filters.push(inner);
  }
  return { kind: kind === 'or' ? 'or' : 'and', filters };
}

/** Values of another property than the one they were typed for are dropped; a comparison that it does not have becomes `in`. */
function readCondition(fields: URLSearchParams, name: string): ConditionDraft {
  const sent = fields.get(`${name}.field`) ?? '';
  const field = isFilterField(sent) ? sent : newCondition.field;
  const operators: readonly string[] = operatorsForField(field);
  const typed = fields.get(`${name}.operator`) ?? '';
  const operator = operators.includes(typed) ? typed : 'in';
  const isSame = (fields.get(`${name}.was`) ?? sent) === field;
  const values = isSame ? fields.getAll(`${name}.value`).flatMap((text) => splitValues(field, text)) : [];
  return {
    kind: 'condition',
    field,
    operator,
    values: field === 'instrument_class.path' ? values : [...new Set(values)],
  };
}

const codeFields: readonly LimitFilterField[] = ['currency', 'issuer_country'];

/** Codes are separated by anything, other texts by lines. */
function splitValues(field: LimitFilterField, text: string): readonly string[] {
  const parts = codeFields.includes(field) ? text.toUpperCase().split(/[\s,;]+/) : text.split('\n');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** What a button of the editor does: `condition:filter.0` adds a condition there, `remove:filter.0.1` takes one away. */
export function applyAct(draft: GroupDraft, act: string): GroupDraft {
  const [verb = '', name = ''] = act.split(':', 2);
  const path = name.split('.').slice(1).map(Number);
  const changed = changeAt(draft, path, verb);
  return changed === undefined || changed.kind === 'condition' ? draft : changed;
}

function changeAt(draft: FilterDraft, path: readonly number[], verb: string): FilterDraft | undefined {
  const [index, ...rest] = path;
  if (index === undefined) return changeNode(draft, verb);
  if (draft.kind === 'condition') return draft;
  const filters = draft.filters.flatMap((one, at) => (at === index ? (changeAt(one, rest, verb) ?? []) : [one]));
  return { ...draft, filters };
}

function changeNode(draft: FilterDraft, verb: string): FilterDraft | undefined {
  if (verb === 'remove') return undefined;
  if (draft.kind === 'condition') return draft;
  if (verb === 'condition') return { ...draft, filters: [...draft.filters, newCondition] };
  if (verb === 'group') {
    const inner: GroupDraft = { kind: draft.kind === 'and' ? 'or' : 'and', filters: [newCondition] };
    return { ...draft, filters: [...draft.filters, inner] };
  }
  return draft;
}

/** Errors by the name of the field in the editor. `/filter/filters/0/value/1` is a fault of `filter.0.value`. */
export function filterErrors(
  draft: GroupDraft,
  errors: readonly { readonly pointer?: string; readonly detail: string }[],
): ReadonlyMap<string, string> {
  const placed = new Map<string, string>();
  const prefix = draft.filters.length === 1 ? '/filters/0' : '';
  for (const { pointer = '', detail } of errors) {
    if (pointer !== '/filter' && !pointer.startsWith('/filter/')) continue;
    const name = editorName(draft, `${prefix}${pointer.slice('/filter'.length)}`);
    const known = placed.get(name);
    placed.set(name, known === undefined ? detail : `${known} ${detail}`);
  }
  return placed;
}

function editorName(draft: GroupDraft, pointer: string): string {
  let name = rootName;
  let node: FilterDraft | undefined = draft;
  let rest = pointer;
  for (let step = /^\/filters\/(\d+)/.exec(rest); step !== null; step = /^\/filters\/(\d+)/.exec(rest)) {
    const inner: FilterDraft | undefined = node.kind === 'condition' ? undefined : node.filters[Number(step[1])];
    if (inner === undefined) break;
    name += `.${step[1]}`;
    node = inner;
    rest = rest.slice(step[0].length);
  }
  if (node.kind !== 'condition') return `${name}.kind`;
  const [member = ''] = rest.split('/').slice(1);
  return `${name}.${member === 'operator' || member === 'value' ? member : 'field'}`;
}
