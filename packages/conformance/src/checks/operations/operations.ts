// The checks that the document of the deployment itself leads to: for every operation who may call it, what it refuses, what it answers.

import type { Check, World } from '../../check.ts';
import { expectEqual } from '../../outcome.ts';
import type { Contract, Operation, Right } from '../../contract/contract.ts';
import type { Records } from '../../contract/records.ts';
import { checkAnswer, checkForeign } from './answers.ts';
import { checkCallers, checkRequests, checkReusedKey } from './refusals.ts';

/** Records of a client, which nobody sees who is bound to another. */
const ownedByClients = [
  'client',
  'legal-entity',
  'account',
  'depository',
  'reporting-entity',
  'portfolio',
  'transaction',
  'historical-holding',
  'limit',
];

const isOfSandbox = ({ path }: Operation): boolean => path.startsWith('/v1/sandbox/');

/** In other environments operations of the sandbox do nothing but say so, whatever the request. */
async function checkSandboxOnly({ api, contract }: World, { method, path, id }: Operation): Promise<void> {
  const body = contract.get(id)?.body;
  for (const sent of body === undefined ? [undefined] : [body, { nonsense: 1 }]) {
    const answer = await api.send(method, path.replaceAll(/\{\w+\}/g, 'ffffffffffff0000000000aa'), { body: sent });
    expectEqual('status', answer.status, 403);
    expectEqual('code', answer.body?.code, 'sandbox-only');
  }
}

function isOwned({ method, parameters }: Operation, records: Records): boolean {
  const owned = ownedByClients.map((resource) => records.exampleOf(resource));
  return method === 'GET' && parameters.some(({ example }) => example !== undefined && owned.includes(example));
}

export interface OperationsOptions {
  readonly contract: Contract;
  readonly records: Records;
  readonly environment: string;
}

export function operationChecks({ contract, records, environment }: OperationsOptions): readonly Check[] {
  return contract.operations.flatMap((operation) => {
    const { method, path, surface, needsToken } = operation;
    const check = (fact: string, run: (world: World, one: Operation) => Promise<void>): Check => ({
      area: needsToken ? surface : 'open',
      title: `${method} ${path} ${fact}`,
      needs: [],
      isIndependent: true,
      run: (world) => run(world, operation),
    });
    // A token is asked for in ways of its own, which the checks of tokens are about.
    if (!needsToken) return method === 'GET' ? [check('answers as documented', checkAnswer)] : [];
    const callers = check('is for callers with a token and its right', checkCallers);
    if (isOfSandbox(operation) && environment !== 'sandbox')
      return [callers, check('is refused outside the sandbox', checkSandboxOnly)];
    const own: readonly Right[] = operation.right === undefined ? [] : [operation.right];
    const checks = [callers, { ...check('refuses what is not documented', checkRequests), needs: own }];
    if (operation.parameters.some(({ name }) => name === 'Idempotency-Key'))
      checks.push({ ...check('refuses a used Idempotency-Key', checkReusedKey), needs: ['write', ...own] });
    if (isOwned(operation, records))
      checks.push({ ...check('hides records from tokens of another client', checkForeign), needs: ['write'] });
    return [...checks, check('answers as documented', checkAnswer)];
  });
}
