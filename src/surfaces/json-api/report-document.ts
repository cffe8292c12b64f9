// Resource objects of reports: they have no ids of their own, and relate to what they are about. Knows no figure.

import { instant, type JsonSchema } from '../../kit/field.ts';
import { instrumentTypes } from '../../model/instrument/instrument.ts';
import { findSyntheticInstrument, type SyntheticKind } from '../../engine/ledger/position-key.ts';
import type { ReportBasis } from '../../actions/reports/report-basis.ts';
import { ledgerVersionSchema } from '../http/reports/report-page.ts';
import { jsonApi } from './wire.ts';

export const jsonApiStyle = jsonApi.style;

/** What no catalogue lists is related to all the same. */
const syntheticTypes: Readonly<Record<SyntheticKind, string>> = {
  cash: 'cash-instrument',
  'fees-owed': 'fees-owed-instrument',
};
const unidentifiedType = 'unidentified-instrument';

export const heldTypes: readonly string[] = [
  ...instrumentTypes.map(({ type }) => type),
  ...Object.values(syntheticTypes),
  unidentifiedType,
];

/** The type under which something that is held is related to. */
export function heldTypeOf(instrument: string, { instruments }: Pick<ReportBasis, 'instruments'>): string {
  const synthetic = findSyntheticInstrument(instrument);
  if (synthetic !== undefined) return syntheticTypes[synthetic.kind];
  return instruments.get(instrument)?.instrument.type ?? unidentifiedType;
}

export function linkageTo(type: string, id: string | null): object {
  return { data: id === null ? null : { type, id } };
}

function identifierSchema(types: readonly string[]): JsonSchema {
  const type = types.length === 1 ? { const: types[0] } : { enum: types };
  const properties = { type, id: { type: 'string' } };
  return { type: 'object', required: ['type', 'id'], properties, additionalProperties: false };
}

function linkSchema(data: JsonSchema): JsonSchema {
  return { type: 'object', required: ['data'], properties: { data }, additionalProperties: false };
}

export function linkageSchema(...types: readonly string[]): JsonSchema {
  return linkSchema(identifierSchema(types));
}

export function optionalLinkageSchema(...types: readonly string[]): JsonSchema {
  return linkSchema({ oneOf: [identifierSchema(types), { type: 'null' }] });
}

/** A schema of an object with these members, all but the optional ones required. */
export function membersSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  const required = Object.keys(properties);
  return { type: 'object', required, properties: { ...properties, ...optional }, additionalProperties: false };
}

export interface ReportResource {
  readonly type: string;
  readonly attributes: JsonSchema;
  readonly relationships: JsonSchema;
}

export function reportResourceSchema({ type, attributes, relationships }: ReportResource): JsonSchema {
  const id = { type: 'string', description: 'Opaque.' };
  return membersSchema({ type: { const: type }, id, attributes, relationships });
}

const metaSchema = membersSchema({ asOf: instant.schema(jsonApiStyle), ledgerVersion: ledgerVersionSchema });

export function reportDocumentSchema(data: JsonSchema): JsonSchema {
  return membersSchema({ data, meta: metaSchema });
}

export function reportMeta({ asOf, basis }: { readonly asOf: number; readonly basis: ReportBasis }): object {
  return { asOf: instant.write(asOf, jsonApiStyle), ledgerVersion: basis.ledgerVersion };
}
