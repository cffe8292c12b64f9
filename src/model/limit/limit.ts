// Declares the limit: a rule of a client's investment policy that bounds the market value of some holdings, or their share of
// the whole.

import { decimal, decimalWithin, FieldFault, type FieldKind, type JsonSchema, oneOf } from '../../kit/field.ts';
import { keysOf } from '../../kit/keys.ts';
import { InnerFaults, objectOf } from '../../kit/structured-field.ts';
import type { Json } from '../../kit/json.ts';
import { declareResource, exampleIdOfType, type Attribute, type RecordOf } from '../../kit/resource.ts';
import { isCountryCode } from '../country.ts';
import { isCurrencyCode } from '../currency.ts';
import { builtInTypes } from '../instrument/built-in.ts';
import { instrumentTypeNames } from '../instrument/instrument.ts';
import { otherInstrument } from '../instrument/other.ts';
import {
  filterDepthMax,
  filterValuesMax,
  limitFilterFields,
  limitFilterOperators,
  LimitFilterFaults,
  readLimitFilter,
  type LimitFilter,
  type LimitFilterField,
} from './limit-filter.ts';
import { createdAt, nameField, permanentClient } from '../shared-fields.ts';

export const limitKinds = ['proportional', 'absolute'] as const;
export type LimitKind = (typeof limitKinds)[number];

const fraction = decimalWithin(
  { min: '-1', max: '1' },
  'must be a fraction from -1 to 1: 0.30 stands for 30 %, and 30 for 3,000 %',
);

function boundField<const K extends FieldKind<any>>(kind: K, description: string) {
  return { kind, description, writable: 'always', nullable: true } as const satisfies Attribute<any>;
}

/** Each kind of limit has its own pair of bounds. */
const bounds = {
  minPct: boundField(fraction, 'For a proportional limit: the minimum share, as a fraction.'),
  maxPct: boundField(fraction, 'For a proportional limit: the maximum share, as a fraction: 0.30 is 30 %.'),
  minAmount: boundField(
    decimal,
    'For an absolute limit: the minimum market value, in the reference currency of the client.',
  ),
  maxAmount: {
    ...boundField(decimal, 'For an absolute limit: the maximum market value, in the reference currency of the client.'),
    example: '10000',
  },
} as const;

export type BoundName = keyof typeof bounds;
export const boundNames = keysOf(bounds);

export const boundsOfKind = {
  proportional: { min: 'minPct', max: 'maxPct' },
  absolute: { min: 'minAmount', max: 'maxAmount' },
} as const satisfies Readonly<Record<LimitKind, Readonly<Record<'min' | 'max', BoundName>>>>;

function boundMember<const K extends FieldKind<any>>({ kind, description }: { kind: K; description: string }) {
  return { kind, description, optional: true } as const;
}

const boundsObject = objectOf({
  minPct: boundMember(bounds.minPct),
  maxPct: boundMember(bounds.maxPct),
  minAmount: boundMember(bounds.minAmount),
  maxAmount: boundMember(bounds.maxAmount),
});

const holdingTypes: readonly string[] = instrumentTypeNames;

/** Shorter names of types, which older filters have. */
const typeAliases: ReadonlyMap<string, string> = new Map(
  builtInTypes.map(({ type }) => [type.replace('-instrument', ''), type]),
);

/** Which records exist is checked where the limit is written. */
const valueChecks: Partial<Record<LimitFilterField, (value: string) => string | undefined>> = {
  'instrument.type': (value) =>
    holdingTypes.includes(typeAliases.get(value) ?? value) ? undefined : `must be one of ${holdingTypes.join(', ')}`,
  issuer_country: (value) =>
    isCountryCode(value) ? undefined : 'must be an ISO 3166-1 country code of two letters, such as CH',
  currency: (value) => (isCurrencyCode(value) ? undefined : 'must be an ISO 4217 currency code, such as EUR'),
};

const valueLengthMax = 200;

function checkValue(field: LimitFilterField, value: string): string | undefined {
  if ([...value].length > valueLengthMax) return `must have at most ${valueLengthMax} characters`;
  return valueChecks[field]?.(value);
}

/** Replaces the shorter names of types. */
function withoutAliases(filter: LimitFilter): LimitFilter {
  if (filter.kind !== 'condition') return { kind: filter.kind, filters: filter.filters.map(withoutAliases) };
  if (filter.field !== 'instrument.type') return filter;
  return { ...filter, value: filter.value.map((type) => typeAliases.get(type) ?? type) };
}

/** Puts the members into one order, whatever order they were stored in. */
function canonicalFilter(filter: LimitFilter): LimitFilter {
  if (filter.kind !== 'condition') return { kind: filter.kind, filters: filter.filters.map(canonicalFilter) };
  const { kind, field, operator, value } = filter;
  return { kind, field, operator, value };
}

/** The schema of a filter whose nested filters have the given schema. */
function filterSchema(nestedSchema: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['kind'],
    properties: {
      kind: {
        type: 'string',
        enum: ['condition', 'and', 'or'],
        description: 'A condition has `field`, `operator` and `value`; the others join the `filters` within them.',
      },
      field: {
        type: 'string',
        enum: Object.keys(limitFilterFields),
        description: 'For a condition: the property that is tested.',
      },
      operator: {
        type: 'string',
        enum: Object.keys(limitFilterOperators),
        description:
          'For a condition: `equals` exactly this, or, for tags and portfolios, among others; `in` one of these; `not_in` none of these; `contains` all of these (tags, portfolios, a path); `starts_with` the names from the root down (a path).',
      },
      value: {
        anyOf: [
          { type: 'string', minLength: 1, maxLength: valueLengthMax },
          {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: valueLengthMax },
            minItems: 1,
            maxItems: filterValuesMax,
          },
        ],
        description: 'For a condition: one text or several. Responses always have a list.',
      },
      filters: {
        type: 'array',
        items: nestedSchema,
        minItems: 1,
        description: `For \`and\` and \`or\`: filters like this one, ${filterDepthMax} deep at most.`,
      },
    },
    additionalProperties: false,
  };
}

const innerSchema = filterSchema({ type: 'object', description: 'A filter like this one.' });
const outerSchema = filterSchema(innerSchema);

const filter: FieldKind<LimitFilter> = {
  isStructured: true,
  read(value: Json) {
    try {
      return withoutAliases(readLimitFilter(value, checkValue));
    } catch (error) {
      if (!(error instanceof LimitFilterFaults)) throw error;
      const [first] = error.faults;
      if (first?.path.length === 0) throw new FieldFault(first.message);
      throw new InnerFaults(error.faults);
    }
  },
  write: canonicalFilter,
  schema: () => outerSchema,
};

export const limit = declareResource({
  type: 'limit',
  plural: 'limits',
  description:
    "A limit: a rule of a client's investment policy. The value of the holdings that match its filter, cash included, must stay within its bounds: as an amount, or as a share of everything that a reporting entity holds.",
  usage: {
    purpose:
      'Rounds of calculation evaluate it after every change, and tell webhooks when it is breached or kept again.',
    list: 'Get the rules of an investment policy, to show them or to find the one to change.',
    read: 'Look up the bounds and the filter of a rule.',
    create:
      'Write down a rule of the investment policy: which holdings it is about, and the bounds as a share or an amount. It is evaluated by the next round, within seconds.',
    change: 'Correct the bounds or the filter. The next round evaluates it again, and opens or closes breaches.',
    delete: 'Remove a rule that no longer applies. Its breaches of the past remain on record.',
  },
  table: 'limit_rule',
  owner: { relation: 'client', from: 'client' },
  history: { cause: 'limit', ignoredFields: ['name'], isIndependent: true },
  attributes: {
    name: {
      ...nameField('Display name. Default: `Limit`.'),
      example: 'At most 10,000 in equities and collectibles',
    },
    kind: {
      kind: oneOf(limitKinds),
      description:
        "`proportional`: a fraction of the reporting entity's total market value. `absolute`: an amount in the reference currency. It cannot change.",
      writable: 'at-creation',
      required: true,
      filter: true,
      example: 'absolute',
    },
    ...bounds,
    bounds: {
      kind: boundsObject,
      description:
        'The same bounds in one object: send them here or as separate fields. A limit has at least one bound, of its kind.',
      writable: 'always',
      computed: true,
    },
    filter: {
      kind: filter,
      description:
        'Which holdings it applies to. Classes, instruments, portfolios and custodians are named by id, and must exist. While a limit names one, it cannot be deleted here; once it is gone, the limit is `not_evaluable`.',
      writable: 'always',
      required: true,
      example: {
        kind: 'or',
        filters: [
          { kind: 'condition', field: 'instrument_class.path', operator: 'starts_with', value: ['Equities'] },
          { kind: 'condition', field: 'instrument.type', operator: 'in', value: [otherInstrument.type] },
        ],
      },
    },
    createdAt,
  },
  relations: {
    client: permanentClient,
    reportingEntity: {
      to: 'reporting-entity',
      description: 'The reporting entity it applies to; null for every reporting entity of the client.',
      writable: 'always',
      filter: true,
      example: exampleIdOfType('reporting-entity'),
    },
  },
});

export type Limit = RecordOf<typeof limit>;
type LimitBounds = Limit['bounds'];

/** Lists every bound of a limit, for responses. */
export function boundsOfLimit(record: Pick<Limit, BoundName>): LimitBounds {
  const { minPct, maxPct, minAmount, maxAmount } = record;
  return { minPct, maxPct, minAmount, maxAmount };
}
