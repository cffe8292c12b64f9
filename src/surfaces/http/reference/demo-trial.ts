// What the API reference takes from the demo while the service is tried out: ids of records that exist, and a token.

import type { Authentication } from '../../../actions/access/authentication.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import { issueDemoToken } from '../../../actions/demo/demo-token.ts';
import { exampleIdOfResource, type Resource } from '../../../kit/resource.ts';
import type { Caller } from '../../../model/access/caller.ts';
import { instrument } from '../../../model/instrument/instrument.ts';
import { stock } from '../../../model/instrument/stock.ts';
import type { Budget } from '../pipeline/budget.ts';
import type { Operation } from '../operation/operation.ts';
import type { ReferenceTrial } from './reference.ts';
import type { LocalApi } from '../pipeline/local-api.ts';

interface TrialParts {
  readonly context: AppContext;
  readonly authentication: Authentication;
  readonly budget: Budget;
  readonly operations: readonly Operation[];
  readonly callApi: LocalApi['call'];
}

export function makeReferenceTrial(parts: TrialParts): ReferenceTrial {
  const { context, budget } = parts;
  const admit = async (caller: Caller): Promise<void> => void (await budget.take(caller));
  const issueToken: ReferenceTrial['issueToken'] = () => issueDemoToken(context, admit);
  return { issueToken, findIds: () => findIds(parts, issueToken) };
}

/** The ids of the examples, each with that of the first record in its list. Empty if there is no demo. */
async function findIds(
  { authentication, context, operations, callApi }: TrialParts,
  issueToken: ReferenceTrial['issueToken'],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const token = await issueToken();
  if (token === undefined) return ids;
  const caller = await authentication.authenticate(token.accessToken);
  const findFirst = async (resource: Resource, path: string): Promise<string | undefined> => {
    const separator = path.includes('?') ? '&' : '?';
    const url = `${path}${separator}limit=1`;
    const { status, text } = await callApi({ requestId: context.ids.next(), caller, method: 'GET', url });
    const id: unknown = status === 200 && text !== null ? JSON.parse(text).data?.[0]?.id : undefined;
    if (typeof id !== 'string') return undefined;
    ids.set(exampleIdOfResource(resource), id);
    return id;
  };
  // The first instruments are those that the service provides by itself.
  const stockId = await findFirst(instrument, `/v1/instruments?type=${stock.type}`);
  for (const { method, path, resource } of operations) {
    if (method !== 'GET' || resource === undefined || resource === instrument) continue;
    if (path === `/v1/${resource.plural}`) await findFirst(resource, path);
    const ofInstrument = new RegExp(`^/v1/instruments/\\{\\w+\\}/${resource.plural}$`);
    if (stockId !== undefined && ofInstrument.test(path)) await findFirst(resource, path.replace(/\{\w+\}/, stockId));
  }
  return ids;
}
