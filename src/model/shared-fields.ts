// Fields that several resources have in common.

import { instant, text } from '../kit/field.ts';
import { exampleIdOfType, type Attribute, type ToOne } from '../kit/resource.ts';

export function nameField(description: string) {
  return {
    kind: text({ lengthMax: 200 }),
    description,
    writable: 'always',
  } as const satisfies Attribute<string>;
}

export function externalIdentifierField(description: string) {
  return {
    kind: text({ lengthMax: 200 }),
    description,
    writable: 'always',
    nullable: true,
    filter: true,
  } as const satisfies Attribute<string>;
}

export const createdAt = {
  kind: instant,
  description: 'When it was created.',
  writable: 'never',
} as const satisfies Attribute<number>;

/** The client of a record that is created for one and keeps it. */
export const permanentClient = {
  to: 'client',
  description: 'The client it belongs to. It cannot change.',
  writable: 'at-creation',
  required: true,
  filter: true,
  example: exampleIdOfType('client'),
} as const satisfies ToOne;

/** The client of a record that takes it from the record it belongs to. */
export const inheritedClient = {
  to: 'client',
  description: 'The client it belongs to.',
  writable: 'never',
  required: true,
  filter: true,
} as const satisfies ToOne;
