// What every operation refuses, by its entry in the document: callers without the right, ids that do not exist, bodies and parameters
// that it does not have.

import { randomUUID } from 'node:crypto';
import type { Answer, RequestOptions } from '../../api.ts';
import type { World } from '../../check.ts';
import { Faults, Skipped } from '../../outcome.ts';
import type { Operation } from '../../contract/contract.ts';
import type { Json } from '../../contract/json-schema.ts';
import { typeOf, unknownId, unknownUuid } from '../../contract/records.ts';

/** The path with ids that nobody has, and with what its query must have. */
export function unknownPath({ path, parameters }: Operation, more: Readonly<Record<string, string>> = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return unknownLike(parameters.find((one) => one.name === name)?.example);
  });
  const required = parameters.filter((one) => one.in === 'query' && one.required && one.example !== undefined);
  const query = new URLSearchParams({
    ...Object.fromEntries(required.map(({ name, example }) => [name, String(example)])),
    ...more,
  });
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** An id that nobody has, in the form of an example: people have UUIDs. */
const unknownLike = (example: string | undefined): string => (example?.includes('-') ? unknownUuid : unknownId);

/** The example of its body, about nobody's record. */
function unknownBody({ body, file }: Operation): RequestOptions {
  if (file !== undefined) return { raw: file };
  if (body === undefined) return {};
  return { body: body.data?.id === undefined ? body : { data: { ...body.data, id: unknownLike(body.data.id) } } };
}

function send(
  world: World,
  operation: Operation,
  { headers, ...options }: RequestOptions,
  path?: string,
): Promise<Answer> {
  return world.api.send(operation.method, path ?? unknownPath(operation), {
    ...unknownBody(operation),
    ...options,
    headers: { ...typeOf(operation), ...headers },
    server: operation.server,
  });
}

/** Nobody calls it without a token, or without its right. */
export async function checkCallers(world: World, operation: Operation): Promise<void> {
  const faults = new Faults();
  const without = await send(world, operation, { token: null });
  faults.expect('without a token', without.status, 401);
  if (operation.right !== undefined) {
    const token = world.tokenWithout(operation.right);
    if (token === undefined) throw new Skipped('It takes the right admin to make a token with fewer rights.');
    const { status, text } = await send(world, operation, { token });
    faults.expect(`without the right ${operation.right}`, status, 403);
    if (!text.includes('right-missing')) faults.add('the refusal does not have the code right-missing');
  }
  faults.report();
}

/** It refuses what the document does not have, and names it. */
export async function checkRequests(world: World, operation: Operation): Promise<void> {
  const faults = new Faults();
  const unknown = await send(world, operation, {}, unknownPath(operation, { nonsense: '1' }));
  faults.expect('with an unknown parameter', unknown.status, 400);
  if (operation.path.includes('{')) faults.expect('for an unknown id', (await send(world, operation, {})).status, 404);
  if (operation.body !== undefined) await checkBodies(world, operation, faults);
  if (operation.parameters.some(({ name }) => name === 'cursor')) await checkPageRefusals(world, operation, faults);
  faults.report();
}

async function checkBodies(world: World, operation: Operation, faults: Faults): Promise<void> {
  // Rows are read while they arrive, so the record that they are for has been found by then.
  const path = operation.id.includes('.bulk') && world.mayWrite ? await world.records.pathFor(operation) : undefined;
  const cut = await send(world, operation, { raw: '{"name":' }, path);
  faults.expect('with half a JSON body', cut.status, 400);
  const text = await send(world, operation, { headers: { 'content-type': 'text/plain' } }, path);
  faults.expect('with a body of text', text.status, 415);
  const { body, pointer } = wrongBody(operation);
  const answer = await send(world, operation, { body }, path);
  faults.expect('with an unknown member', answer.status, 422);
  const pointers = (answer.body?.errors ?? []).map((one: Json) => one.pointer ?? one.source?.pointer);
  if (!pointers.includes(pointer)) faults.add(`the refusal does not name ${pointer} but ${pointers.join(', ')}`);
}

function wrongBody({ body }: Operation): { readonly body: Json; readonly pointer: string } {
  if (Array.isArray(body.data)) return { body: { data: [{ nonsense: 1 }] }, pointer: '/data/0/nonsense' };
  if (body.data === undefined) return { body: { ...body, nonsense: 1 }, pointer: '/nonsense' };
  const id = body.data.id === undefined ? {} : { id: unknownLike(body.data.id) };
  const data = { ...body.data, ...id, attributes: { ...body.data.attributes, nonsense: 1 } };
  return { body: { ...body, data }, pointer: '/data/attributes/nonsense' };
}

async function checkPageRefusals(world: World, operation: Operation, faults: Faults): Promise<void> {
  const path = await world.records.pathFor(operation);
  const mark = path.includes('?') ? '&' : '?';
  const queries = ['cursor=forged'];
  const limit = operation.parameters.find(({ name }) => name === 'limit');
  if (limit !== undefined) queries.push('limit=0', `limit=${Number(limit.schema?.maximum ?? 100) + 1}`);
  for (const query of queries) {
    const { status } = await world.api.send('GET', `${path}${mark}${query}`, { server: operation.server });
    faults.expect(`with ${query}`, status, 400);
  }
}

/** A key that was used for another request is refused, whatever the request. */
export async function checkReusedKey(world: World, operation: Operation): Promise<void> {
  const headers = { 'idempotency-key': await world.usedKey() };
  const { status, body } = await send(world, operation, { headers });
  const faults = new Faults();
  faults.expect('with a used Idempotency-Key', status, 409);
  faults.expect('its code', body?.code, 'idempotency-key-reused');
  faults.report();
}

/** Uses a key once, for a change of the run's own client. */
export async function useKey({ api, client }: World): Promise<string> {
  const key = randomUUID();
  await api.patch(`/v1/clients/${client}`, {}, { headers: { 'idempotency-key': key } });
  return key;
}
