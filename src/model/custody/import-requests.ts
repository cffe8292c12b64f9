// Declares what callers send to an import: the records that count for rows which name none, and what is to be created. Read like new records,
// and never stored as such.

import { text } from '../../kit/field.ts';
import { declareResource, exampleIdOfType } from '../../kit/resource.ts';
import { listOf } from '../../kit/structured-field.ts';

const inputField = { writable: 'at-creation' } as const;

/** The declaration of a resource needs these. */
const unstored = { table: 'import', owner: 'workspace' } as const;

export const importDefaults = declareResource({
  ...unstored,
  type: 'import-defaults',
  plural: 'import-defaults',
  description: 'What a file leaves open.',
  attributes: {
    profile: {
      ...inputField,
      kind: text({ lengthMax: 64 }),
      description:
        'The id of the mapping profile that says what the columns mean, of a CSV file whose lines all wait for one. They are read by it at once.',
    },
  },
  relations: {
    client: {
      ...inputField,
      to: 'client',
      description: 'The client whose accounts the file names. Only where the import has none yet.',
      example: exampleIdOfType('client'),
    },
    account: {
      ...inputField,
      to: 'account',
      description: 'The account of rows that name none. Its client is that of the import from then on.',
      example: exampleIdOfType('account'),
    },
    depository: { ...inputField, to: 'depository', description: 'The depository of rows that name none.' },
  },
});

/** How many groups a request names. */
const keysMax = 1_000;

export const importCreation = declareResource({
  ...unstored,
  type: 'import-creation',
  plural: 'import-creations',
  description: 'What is to be created of what an import waits for.',
  attributes: {
    keys: {
      ...inputField,
      kind: listOf(text({ lengthMax: 40 }), { itemsMax: keysMax }),
      description: `The keys of groups that the import waits for, at most ${keysMax}. When it is not sent: all that can be created.`,
      example: ['Jm0cD1s3k8ZrW2aQ'],
    },
  },
  relations: {
    legalEntity: {
      ...inputField,
      to: 'legal-entity',
      description: 'The owner of new accounts and depositories. Not needed where the client has only one legal entity.',
      snakeCaseName: 'entity_id',
      example: exampleIdOfType('legal-entity'),
    },
  },
});
