// What the API reference takes from the demo while the service is tried out: a token, ids of records that exist, and the answers to every
// read as its example has it.

import type { Authentication } from '../../../actions/access/authentication.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import { issueDemoToken } from '../../../actions/demo/demo-token.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { exampleIdOfResource, type Resource } from '../../../kit/resource.ts';
import type { Caller } from '../../../model/access/caller.ts';
import { instrument, instrumentTypes } from '../../../model/instrument/instrument.ts';
import { price } from '../../../model/instrument/series-point.ts';
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
      return showAnswers(withIds(document, await findIds(operations, read)), read);
    },
  };
}

/** The ids of the examples, each with that of the first record in its list. */
async function findIds(operations: readonly Operation[], read: Read): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const findFirst = async (resource: Resource, path: string): Promise<boolean> => {
    const id: unknown = (await read(`${path}?limit=1`))?.data?.[0]?.id;
    if (typeof id !== 'string') return false;
    ids.set(exampleIdOfResource(resource), id);
    return true;
  };
  const holders = await listHolders(read);
  // The first instruments are those that the service provides by itself.
  const [firstStock] = holders.get(price.type) ?? [];
  if (firstStock !== undefined) ids.set(exampleIdOfResource(instrument), firstStock);
  for (const { method, path, resource } of operations) {
    if (method !== 'GET' || resource === undefined || resource === instrument) continue;
    if (path === `/v1/${resource.plural}`) await findFirst(resource, path);
    if (!/^\/v1\/instruments\/\{\w+\}\/[\w-]+$/.test(path)) continue;
    for (const holder of holders.get(resource.type) ?? []) {
      ids.set(seriesHolderId(resource), holder);
      if (await findFirst(resource, path.replace(/\{\w+\}/, holder))) break;
    }
  }
  return ids;
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
