// The list of transaction types on the two snake_case wires: each with the JSON Schema of a body that books one.

import type { JsonSchema } from '../../kit/field.ts';
import type { TransactionVariantSet } from '../../model/ledger/transaction-variant.ts';
import { snakeCaseBodySchema, type SnakeCaseWire } from './snake-case-object.ts';

export interface TransactionTypeSchema {
  readonly type: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

export function listTransactionTypes(
  { variants: forms }: TransactionVariantSet,
  wire: SnakeCaseWire,
): readonly TransactionTypeSchema[] {
  return [...forms.values()].map(({ typeName: word, resource }) => ({
    type: word,
    description: resource.description,
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: word,
      description: resource.description,
      ...snakeCaseBodySchema(resource, wire, 'create'),
    },
  }));
}

export const transactionTypeEntrySchema: JsonSchema = {
  type: 'object',
  required: ['type', 'description', 'schema'],
  properties: {
    type: { type: 'string', description: 'The value of `type`.' },
    description: { type: 'string' },
    schema: {
      type: 'object',
      additionalProperties: true,
      description: 'A JSON Schema (2020-12) of the body that books one.',
    },
  },
  additionalProperties: false,
};
