// Resource objects of reports on JSON:API: their ids are composed, and they relate to the records they are about.

import { anyText, rendered, type JsonSchema, type Kind } from '../../kit/field.ts';
import { member, objectOf } from '../../kit/structured-field.ts';
import { asOfMember, ledgerVersionMember } from '../../model/report/holding.ts';
import { instrumentTypeNames } from '../../model/instrument/instrument.ts';
import type { ReportBasis } from '../../actions/reports/report-basis.ts';
import { jsonApi } from './wire.ts';

export const jsonApiStyle = jsonApi.style;

export const heldTypes: readonly string[] = instrumentTypeNames;

interface Linkage {
  readonly data: { readonly type: string; readonly id: string } | null;
}

export function linkageTo(type: string, id: string | null): Linkage {
  return { data: id === null ? null : { type, id } };
}

function identifierSchema(types: readonly string[]): JsonSchema {
  const type = rendered(types.length === 1 ? { const: types[0] } : { enum: types });
  return objectOf({
    type: member(type, 'The type of the related record.'),
    id: member(anyText, 'The id of the related record.'),
  }).schema(jsonApiStyle);
}

/** A relationship to a record of one of these types. */
export function linkage(...types: readonly string[]) {
  return objectOf({ data: member(rendered(identifierSchema(types)), 'The related record.') });
}

/** A relationship to a record of one of these types, or to none. */
export function optionalLinkage(...types: readonly string[]) {
  const schema = { anyOf: [identifierSchema(types), { type: 'null' }] };
  return objectOf({ data: member(rendered(schema), 'The related record, or null.') });
}

/** A resource object of a report. */
export function reportResource<A, R>(type: string, attributes: Kind<A>, relationships: Kind<R>) {
  return objectOf({
    type: member(rendered({ const: type }), 'The type of the resource object.'),
    id: member(anyText, 'Opaque.'),
    attributes: member(attributes, 'The figures.'),
    relationships: member(relationships, 'The records that the figures are about.'),
  });
}

export const reportMetaMembers = { asOf: asOfMember, ledgerVersion: ledgerVersionMember } as const;
const reportMetaShape = objectOf(reportMetaMembers);

export function reportDocument<D>(data: Kind<D>) {
  return objectOf({
    data: member(data, 'The resource objects of the report.'),
    meta: member(reportMetaShape, 'What the figures were computed from.'),
  });
}

/** The values of `reportMetaMembers`. */
export function reportMeta({ asOf, basis }: { readonly asOf: number; readonly basis: ReportBasis }) {
  return { asOf, ledgerVersion: basis.ledgerVersion };
}
