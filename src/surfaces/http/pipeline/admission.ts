// Admits a request before its body is read: checks host, token or session, budget, role, right, environment and media type, in
// this order.

import type { FastifyRequest } from 'fastify';
import { requireRight, type Authentication } from '../../../actions/access/authentication.ts';
import { callerForOperation, isDelegated } from '../../../actions/access/person-caller.ts';
import { requireSandbox } from '../../../actions/sandbox/sandbox-only.ts';
import { defined } from '../../../kit/assert.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Caller } from '../../../model/access/caller.ts';
import type { Budget, RateLimit } from './budget.ts';
import type { Hosts } from '../negotiation/hosts.ts';
import { checkAccept, preferredMediaType } from '../negotiation/media-types.ts';
import type { Operation } from '../operation/operation.ts';
import { bearerToken, type ServedRequest } from './parse-request.ts';

export interface AdmissionParts {
  readonly authentication: Authentication;
  /** Finds who is signed in by the session cookie, for a request without a token. */
  findSignedIn(request: FastifyRequest): Promise<Caller | undefined>;
  readonly budget: Budget;
  readonly hosts: Hosts;
}

export function pathNotFound(): Refusal {
  return new Refusal('path-not-found', 'There is no such path. Check the URL.');
}

export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** Returns no promise where token and budget are cached, which is nearly always. */
  admit(operation: Operation, request: FastifyRequest): Promise<void> | undefined {
    const { headers } = request;
    if (!this.#parts.hosts.namesFor(headers.host).has(operation.wire.host)) throw pathNotFound();
    if (headers.authorization === undefined && headers.cookie !== undefined)
      return this.#admitSignedIn(operation, request);
    const token = bearerToken(headers.authorization);
    const caller = this.#parts.authentication.findCached(token);
    return caller ? this.admitCaller(operation, request, caller) : this.#admitUnknown(operation, request, token);
  }

  async #admitSignedIn(operation: Operation, request: FastifyRequest): Promise<void> {
    const caller = await this.#parts.findSignedIn(request);
    if (caller === undefined) return void bearerToken(undefined);
    await this.admitCaller(operation, request, caller);
  }

  async #admitUnknown(operation: Operation, request: ServedRequest, token: string): Promise<void> {
    await this.admitCaller(operation, request, await this.#parts.authentication.authenticate(token));
  }

  /** Admits a caller whose token or session was verified. */
  admitCaller(operation: Operation, request: ServedRequest, caller: Caller): Promise<void> | undefined {
    request.caller = caller;
    const taken = this.#parts.budget.take(caller);
    if (taken instanceof Promise) return this.#admitAfter(taken, operation, request);
    request.rateLimit = taken;
    return this.#checkAllowed(operation, request, caller);
  }

  async #admitAfter(taken: Promise<RateLimit>, operation: Operation, request: ServedRequest): Promise<void> {
    const caller = defined(request.caller, 'the caller is set before the budget is taken');
    try {
      request.rateLimit = await taken;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'budget-exceeded') {
        request.rateLimit = this.#parts.budget.usedUp(caller, error);
      }
      throw error;
    }
    await this.#checkAllowed(operation, request, caller);
  }

  /** Looks up the person that a token acts for on every request, so that lost access takes effect at once. */
  #checkAllowed(operation: Operation, request: ServedRequest, caller: Caller): Promise<void> | undefined {
    if (isDelegated(caller)) return this.#checkActingFor(operation, request, caller);
    checkAllowed(operation, request, caller);
    return undefined;
  }

  async #checkActingFor(operation: Operation, request: ServedRequest, token: Caller): Promise<void> {
    checkAllowed(operation, request, await this.#parts.authentication.resolvePerson(token));
  }
}

function checkAllowed(operation: Operation, request: ServedRequest, admitted: Caller): void {
  const caller = callerForOperation(admitted, operation.people);
  request.caller = caller;
  if (operation.right !== 'any') requireRight(caller, operation.right);
  if (operation.sandboxOnly) requireSandbox(caller.scope);
  const { wire, alternativeMediaTypes } = operation;
  const { accept } = request.headers;
  checkAccept(
    accept,
    alternativeMediaTypes === undefined
      ? wire.mediaType
      : preferredMediaType(accept, [wire.mediaType, ...alternativeMediaTypes]),
  );
}
