// The custodian: the institution that keeps accounts. Shared by all clients of a workspace, as instruments are.

import { declareResource } from '../../kit/resource.ts';
import { createdAt, nameField } from '../shared-fields.ts';

export const custodian = declareResource({
  type: 'custodian',
  plural: 'custodians',
  description: 'A custodian: the bank or other institution that keeps accounts. All clients of a workspace share them.',
  table: 'custodian',
  owner: 'workspace',
  attributes: {
    name: {
      ...nameField('Display name. No two custodians have the same, upper and lower case aside.'),
      required: true,
      filter: true,
      example: 'Privatbank Seefeld',
    },
    createdAt,
  },
  relations: {},
  deletion: {
    code: 'custodian-in-use',
    blockedBy: [{ one: 'account', several: 'accounts', table: 'account', column: 'custodian_id' }],
  },
});
