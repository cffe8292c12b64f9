// What the two snake_case wires share about types of transactions: each with the JSON Schema of what books one, made from the
// declaration that reads it.

import type { JsonSchema } from '../../kit/field.ts';
import type { Vocabulary } from '../../model/ledger/transaction-variant.ts';
import { flatBodySchema, type FlatWire } from './snake-case-object.ts';

export interface ListedType {
  readonly type: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

export function listTypes({ forms }: Vocabulary, wire: FlatWire): readonly ListedType[] {
  return [...forms.values()].map(({ word, resource }) => ({
    type: word,
    description: resource.description,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: word,
      description: resource.description,
      ...flatBodySchema(resource, wire, 'create'),
    },
  }));
}

export const listedTypeSchema: JsonSchema = {
  type: 'object',
  required: ['type', 'description', 'schema'],
  properties: {
    type: { type: 'string', description: 'The word that is sent as `type`.' },
    description: { type: 'string' },
    schema: {
      type: 'object',
      additionalProperties: true,
      description: 'A JSON Schema (2020-12) of the body that books one.',
    },
  },
  additionalProperties: false,
};
