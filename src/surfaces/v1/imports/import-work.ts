// Work on imports on v1: what is being checked, booked or undone now, and how far it is.

import { id } from '../../../kit/field.ts';
import { listOf, member, objectOf } from '../../../kit/structured-field.ts';
import { importWorkMax, importWorkShape } from '../../../model/custody/import-work.ts';
import { listImportWork } from '../../../actions/imports/import-progress.ts';
import { defineOperation } from '../../http/operation/operation.ts';
import { hasMoreMember, v1Style } from '../reports/report-query.ts';
import { v1 } from '../wire.ts';

const workList = objectOf({ data: member(listOf(importWorkShape), 'The newest first.'), hasMore: hasMoreMember });

export const importWorkPath = defineOperation<void>({
  wire: v1,
  group: 'import-work',
  id: 'v1.import.work',
  method: 'GET',
  path: '/v1/import-work',
  summary: 'List work on imports',
  description:
    'Show progress while a large file is imported. Lists what is being checked, booked or undone now, with the rows that are done, updated after every 2,000 rows. Nothing of it is visible elsewhere before it ends, and then it is gone from here. Smaller imports, which end within a moment, are never listed.',
  right: 'read',
  mode: 'read',
  query: { import_id: { kind: id, description: 'Only work on this import.' } },
  responses: { 200: { description: `At most ${importWorkMax}.`, schema: workList.schema(v1Style) } },
  refusals: [],
  read: () => undefined,
  async handle({ work, query }) {
    return {
      status: 200,
      body: workList.write({ data: await listImportWork(work, query['import_id']), hasMore: false }, v1Style),
    };
  },
});
