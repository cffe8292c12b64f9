// What every operation answers when it is sent as its example has it: the documented status, a body that its schema allows (every
// answer of a run is compared with the document), and what holds for all of its kind.

import { randomUUID } from 'node:crypto';
import type { Answer } from '../../api.ts';
import type { World } from '../../check.ts';
import { refuseIfKeysAreUsed } from '../webhooks.ts';
import { Faults, Skipped } from '../../outcome.ts';
import type { Operation } from '../../contract/contract.ts';
import type { Json } from '../../contract/json-schema.ts';
import { unknownId } from '../../contract/records.ts';
import { ensureAuthority, prepareFor } from './custody.ts';

export async function checkAnswer(world: World, operation: Operation): Promise<void> {
  if (operation.id === 'v1.me.end-session') return checkNoSession(world);
  if (operation.right !== undefined && !world.rights.includes(operation.right))
    throw new Skipped(`The token does not have the right ${operation.right}.`);
  if (operation.method === 'GET') return checkRead(world, operation);
  if (!world.mayWrite) throw new Skipped('The token may not write: nothing is made.');
  await checkWrite(world, operation);
}

/** Only people have sessions: an application has none to end. */
async function checkNoSession({ api }: World): Promise<void> {
  const faults = new Faults();
  const { body } = await api.get('/v1/me/sessions');
  faults.expect('sessions of an application', body?.data?.length, 0);
  const { status } = await api.send('DELETE', `/v1/me/sessions/${unknownId}`);
  faults.expect('status of ending a session of nobody', status, 404);
  faults.report();
}

/** A report of performance is one answer, with the whole and its segments. */
function isList({ surface, path }: Operation, { body }: Answer): boolean {
  return surface === 'v1' && Array.isArray(body?.data) && !path.startsWith('/v1/performance');
}

async function checkRead(world: World, operation: Operation): Promise<void> {
  const { api, records } = world;
  const faults = new Faults();
  if (operation.path.includes('/authorities/{id}')) await ensureAuthority(world);
  const path = await records.pathFor(operation);
  const { server } = operation;
  const options = { server, ...(operation.needsToken ? {} : { token: null }) };
  const first = await api.get(path, options);
  faults.expect('status', first.status, operation.success);
  if (isList(operation, first)) faults.expect('whether it says has_more', typeof first.body.has_more, 'boolean');
  const etag = first.headers.get('etag');
  if (operation.statuses.includes(304)) {
    const again = await api.get(path, { ...options, headers: { 'if-none-match': etag ?? '' } });
    // What the answer tells may have changed in the meantime, as a log does with every request.
    if (again.headers.get('etag') === etag) faults.expect('status with its own entity tag', again.status, 304);
  }
  if (operation.parameters.some(({ name }) => name === 'limit')) await checkPages(world, operation, path, faults);
  faults.report();
}

/** Two pages of one record: the second goes on after the first. */
async function checkPages({ api }: World, { server }: Operation, path: string, faults: Faults): Promise<void> {
  const one = `${path}${path.includes('?') ? '&' : '?'}limit=1`;
  const { body } = await api.get(one, { server });
  const size = (body?.data ?? body?.rows ?? []).length;
  if (size > 1) faults.add(`limit=1 answered ${size} records`);
  if (body?.has_more !== true) return;
  const next = await api.get(`${one}&cursor=${encodeURIComponent(body.next_cursor)}`, { server });
  faults.expect('status of the second page', next.status, 200);
  if (next.body?.data?.length === 0) faults.add('the second page is empty');
  const key = ({ data = [] }: Json): string => JSON.stringify(data[0]);
  if (next.body !== undefined && key(next.body) === key(body))
    faults.add('the second page begins with the first record');
}

async function checkWrite(world: World, operation: Operation): Promise<void> {
  const faults = new Faults();
  if (operation.id === 'v1.webhook-key.rotate') await refuseIfKeysAreUsed(world);
  const own = await prepareFor(world, operation);
  const hasKey = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  const headers: Record<string, string> = hasKey ? { 'idempotency-key': randomUUID() } : {};
  const answer = await own.send(headers);
  faults.expect('status', answer.status, operation.success);
  if (answer.status >= 300) faults.add(answer.text.slice(0, 300));
  if (hasKey && answer.status < 300) {
    const again = await own.sendAgain();
    faults.expect('status of the same request with its key', again.status, answer.status);
    if (again.text !== answer.text) faults.add('the same request with its key is answered otherwise');
    faults.expect('Idempotent-Replayed', again.headers.get('idempotent-replayed'), 'true');
  }
  if (operation.method === 'DELETE' && operation.path.includes('{')) {
    const { status } = await own.sendAgain({});
    faults.expect('status of the same deletion without a key', status, 404);
  }
  if (operation.statuses.includes(412) && operation.method === 'PATCH') {
    const { status } = await own.sendAgain({ 'if-match': '"another"' });
    faults.expect('status with an old entity tag', status, 412);
  }
  faults.report();
}

/** A token that is bound to another client cannot tell its records from ones that do not exist. */
export async function checkForeign(world: World, operation: Operation): Promise<void> {
  const token = await world.tokenOfAnother();
  if (token === undefined) throw new Skipped('It takes the right admin to make a token for another client.');
  const { status } = await world.api.get(await world.records.pathFor(operation), { token, server: operation.server });
  const faults = new Faults();
  faults.expect('to a token of another client', status, 404);
  faults.report();
}
