// Names refuse characters that are not seen or that change how others are seen; comments may have several lines.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { newEmail } from '../../setup/people/members.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord, newDocument } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let client = '';

beforeAll(async () => {
  ({ admin } = service);
  client = await admin.makeClient('Lindqvist');
});

const hidden: [name: string, character: string][] = [
  ['a line break', '\n'],
  ['a tab', '\t'],
  ['a control character', '\u0007'],
  ['the delete character', '\u007F'],
  ['a C1 control character', '\u0085'],
  ['a line separator', '\u2028'],
  ['a right-to-left override', '\u202E'],
  ['a left-to-right embedding', '\u202A'],
  ['an isolate', '\u2066'],
  ['the end of an isolate', '\u2069'],
  ['a left-to-right mark', '\u200E'],
  ['a right-to-left mark', '\u200F'],
];

describe.each(hidden)('%s is refused', (_name, character) => {
  const name = `Anna${character}gnp.exe`;

  test('in names on every wire', async () => {
    const user = { client_id: client, email: newEmail(), first_name: 'A', last_name: 'B' };
    for (const reply of [
      await admin.post('/v1/clients', { name }),
      await admin.post('/api/v2/clients', newDocument('client', { name })),
      await admin.post('/v1/users', { ...user, last_name: name }),
      await admin.post(`/v2/clients/${client}/users`, { email: newEmail(), name }),
      await admin.post('/v1/applications', { name }),
      await admin.post('/v1/instruments', { type: 'stock-instrument', name, currency: 'CHF' }),
      await admin.patch(`/v1/clients/${client}`, { name }),
    ]) {
      expect(reply.status).toBe(422);
      expect(reply.text).toMatch(/must not contain (control characters|characters that change the direction of text)/);
    }
  });
});

test('names in any script are taken', async () => {
  for (const name of [
    'Анна Каренина',
    'محمد',
    'שלום',
    '王小明',
    'Zoë Müller-Ångström',
    'José\u0301',
    'A\u00A0B',
    '👩‍👩‍👧 Trust',
  ]) {
    const reply = await admin.post('/v1/clients', { name });
    expect([reply.status, reply.body.name]).toEqual([201, name]);
  }
});

describe('a comment', () => {
  test('keeps its line breaks and tabs, and refuses what reorders text', async () => {
    const { legalEntity } = await makeHousehold(admin, 'Commented');
    const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF', name: 'Cash' });
    const book = (comment: string) =>
      admin.post('/v1/transactions', {
        type: 'deposit',
        date: '2026-03-02',
        amount: '1',
        account_id: account,
        comment,
      });
    const lines = 'First line\r\nSecond line\n\tthird';
    const taken = await book(lines);
    expect([taken.status, taken.body.comment]).toEqual([201, lines]);
    for (const character of ['\u202E', '\u2066', '\u0007', '\u0085'])
      expect((await book(`a${character}b`)).status).toBe(422);
  });
});
