// What the API reference takes from the demo while the service is tried out: a token, ids of records that exist, and the answers to every
// read as its example has it.

import type { Authentication } from '../../../actions/access/authentication.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import { issueDemoToken } from '../../../actions/demo/demo-token.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { exampleIdOfResource, type Resource } from '../../../kit/resource.ts';
import type { Caller } from '../../../model/access/caller.ts';
import { instrument, instrumentTypes } from '../../../model/instrument/instrument.ts';
import { instrumentClass } from '../../../model/instrument/instrument-class.ts';
import { price } from '../../../model/instrument/series-point.ts';
import { limit } from '../../../model/limit/limit.ts';
import { user } from '../../../model/people/user.ts';
import { seriesHolderId } from '../openapi/parameters.ts';
import type { Budget } from '../pipeline/budget.ts';
import type { Operation } from '../operation/operation.ts';
import { showAnswers } from './demo-answers.ts';
import { withIds, type ReferenceTrial } from './reference.ts';
import type { LocalApi } from '../pipeline/local-api.ts';

interface TrialParts {
  readonly context: AppContext;
  readonly authentication: Authentication;
  readonly budget: Budget;
  readonly operations: readonly Operation[];
  readonly callApi: LocalApi['call'];
}

/** Reads a path of the demo: undefined unless it answers with 200. */
type Read = (url: string) => Promise<any>;

export function makeReferenceTrial({
  context,
  authentication,
  budget,
  operations,
  callApi,
}: TrialParts): ReferenceTrial {
  const admit = async (caller: Caller): Promise<void> => void (await budget.take(caller));
  const issueToken = () => issueDemoToken(context, admit);
  return {
    issueToken,
    async withAnswers(document) {
      const token = await issueToken();
      if (token === undefined) return undefined;
      const caller = await authentication.authenticate(token.accessToken);
      const read: Read = async (url) => {
        const { status, text } = await callApi({ requestId: context.ids.next(), caller, method: 'GET', url });
        // Not an answer: the page shows the recorded examples then.
        if (status === 429) throw new Refusal('budget-exceeded', 'The budget of the demo is used up.');
        return status === 200 && text !== null ? JSON.parse(text) : undefined;
      };
      const described = withIds(document, await findIds(operations, read));
      return showAnswers(described, { read, entities: await listIds(read, '/v1/reporting-entities') });
    },
  };
}

/** The ids of the examples, each with that of the first record in its list. */
async function findIds(operations: readonly Operation[], read: Read): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const findFirst = async (resource: Resource, path: string): Promise<boolean> => {
    const [id] = await listIds(read, path);
    if (id !== undefined) ids.set(exampleIdOfResource(resource), id);
    return id !== undefined;
  };
  const holders = await listHolders(read);
  // The first instruments are those that the service provides by itself.
  const [firstStock] = holders.get(price.type) ?? [];
  if (firstStock !== undefined) ids.set(exampleIdOfResource(instrument), firstStock);
  for (const { method, path, resource } of operations) {
    if (method !== 'GET' || resource === undefined || resource === instrument) continue;
    if (path === `/v1/${resource.plural}`) await findFirst(resource, `${path}?limit=1`);
    if (!/^\/v1\/instruments\/\{\w+\}\/[\w-]+$/.test(path)) continue;
    for (const holder of holders.get(resource.type) ?? []) {
      ids.set(seriesHolderId(resource), holder);
      if (await findFirst(resource, `${path.replace(/\{\w+\}/, holder)}?limit=1`)) break;
    }
  }
  for (const { above, resource, path } of listsBelow(operations))
    for (const id of await listIds(read, `/v1/${above.plural}`))
      if (await findFirst(resource, path.replace('{id}', id))) {
        ids.set(exampleIdOfResource(above), id);
        break;
      }
  for (const [resource, id] of await findFitting(read, firstStock)) ids.set(exampleIdOfResource(resource), id);
  return ids;
}

/** Records that the examples of writes fit, where the first of a list is another: the class of the stock, an amount for a limit, who was invited. */
async function findFitting(read: Read, stock: string | undefined): Promise<ReadonlyMap<Resource, string>> {
  const [invited] = await listIds(read, '/v1/invites?limit=1', 'user_id');
  const [absolute] = await listIds(read, '/v1/limits?kind=absolute&limit=1');
  const classOfStock: unknown = stock && (await read(`/v1/instruments/${stock}`))?.instrument_class_id;
  const found: readonly (readonly [Resource, unknown])[] = [
    [user, invited],
    [limit, absolute],
    [instrumentClass, classOfStock],
  ];
  return new Map(found.flatMap(([resource, id]) => (typeof id === 'string' ? [[resource, id]] : [])));
}

async function listIds(read: Read, path: string, member = 'id'): Promise<readonly string[]> {
  const rows: readonly Record<string, string>[] = (await read(path))?.data ?? [];
  return rows.flatMap(({ [member]: id }) => id ?? []);
}

/** Lists below records of another type, such as `/v1/webhooks/{id}/deliveries`: not every one of these has some. */
function listsBelow(
  operations: readonly Operation[],
): readonly { above: Resource; resource: Resource; path: string }[] {
  return operations.flatMap(({ method, path, resource }) => {
    const [, plural] = /^\/v1\/(?:admin\/)?([\w-]+)\/\{id\}\/[\w-]+$/.exec(path) ?? [];
    const above = operations.find((one) => one.resource?.plural === plural)?.resource;
    const isBelow = method === 'GET' && above !== undefined && above !== instrument && above !== resource;
    return isBelow && resource !== undefined ? { above, resource, path } : [];
  });
}

/** The instruments that may have a series, by its type: stocks first. */
async function listHolders(read: Read): Promise<ReadonlyMap<string, readonly string[]>> {
  const holders = new Map<string, string[]>();
  for (const { type, traits } of instrumentTypes) {
    const found = (await read(`/v1/instruments?type=${type}&limit=20`))?.data ?? [];
    for (const series of traits.series)
      holders.set(series, [...(holders.get(series) ?? []), ...found.map(({ id }: { id: string }) => id)]);
  }
  return holders;
}
