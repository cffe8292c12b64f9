// Limits token requests: those of a known application or key by its request budget, failed ones by client id and address. Responds with a
// token, or with an error as RFC 6749 defines it.

import { TokenRefusal, type IssuedToken } from '../../actions/access/token.ts';
import type { AppContext } from '../../actions/core/context.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { ParsedOpenRequest } from '../http/operation/open-operation.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';
import type { Budget, RateLimit } from '../http/pipeline/budget.ts';
import type { FailureThrottle, TokenAttempt } from './failure-throttle.ts';
import { refusedResponse, throttledResponse, tokenResponse } from './oauth.ts';

/** No token request needs more. */
export const tokenBodyBytesMax = 16 * 1024;

export interface TokenParts {
  readonly context: AppContext;
  readonly budget: Pick<Budget, 'take' | 'usedUp'>;
  readonly failures: FailureThrottle;
}

/** Exchanges a request for a token. Says whom the request names before it looks anything up. */
type Exchange = (parsed: ParsedOpenRequest, admission: TokenAdmission) => Promise<IssuedToken>;

export class TokenAdmission {
  readonly #parts: TokenParts;
  readonly #address: string;
  #attempt: TokenAttempt | undefined;
  #isKnown = false;
  rateLimit: RateLimit | undefined;

  constructor(parts: TokenParts, address: string) {
    this.#parts = parts;
    this.#address = address;
  }

  /** Refuses a caller that has failed too often. */
  identify(clientId: string): void {
    const attempt = { clientId, address: this.#address };
    this.#parts.failures.check(attempt, this.#parts.context.clock.now());
    this.#attempt = attempt;
  }

  /** Takes the request from the budget of a caller that has proved who it is. */
  readonly admit = async (caller: Caller): Promise<void> => {
    this.#isKnown = true;
    if (this.#attempt !== undefined) this.#parts.failures.noteSuccess(this.#attempt);
    try {
      this.rateLimit = await this.#parts.budget.take(caller);
    } catch (error) {
      if (isThrottled(error)) this.rateLimit = this.#parts.budget.usedUp(caller, error);
      throw error;
    }
  };

  /** Counts a refusal of somebody who could not prove who they are. */
  noteRefusal(): void {
    if (this.#isKnown || this.#attempt === undefined) return;
    this.#parts.failures.noteFailure(this.#attempt, this.#parts.context.clock.now());
  }
}

function isThrottled(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code === 'budget-exceeded';
}

export async function respondToTokenRequest(
  parts: TokenParts,
  parsed: ParsedOpenRequest,
  exchange: Exchange,
): Promise<RenderedResponse> {
  const admission = new TokenAdmission(parts, parsed.address);
  const withBudget = (response: RenderedResponse): RenderedResponse => {
    const { rateLimit } = admission;
    if (rateLimit === undefined) return response;
    const { left, policy } = rateLimit;
    return { ...response, headers: { ...response.headers, ratelimit: left, 'ratelimit-policy': policy } };
  };
  try {
    return withBudget(tokenResponse(await exchange(parsed, admission)));
  } catch (error) {
    if (isThrottled(error)) return withBudget(throttledResponse(error));
    if (!(error instanceof TokenRefusal)) throw error;
    admission.noteRefusal();
    return withBudget(refusedResponse(error));
  }
}
