// The consents of the sandbox's customers and the tokens made from them. Tokens carry what they stand for under a seal, so that they
// outlive a restart; which consents were revoked is remembered.

import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { dayMs, minuteMs, secondMs, type Clock } from '../../../kit/clock.ts';

export interface SandboxConsent {
  readonly id: string;
  readonly bank: string;
  readonly customer: string;
  readonly clientId: string;
  readonly expiresAt: number;
}

type TokenKind = 'code' | 'access' | 'refresh';

interface TokenContent {
  readonly kind: TokenKind;
  readonly consent: SandboxConsent;
  readonly expiresAt: number;
  /** Of a refresh token: how many came before it. */
  readonly generation?: number;
  /** Of a code: what the request for a token has to bring. */
  readonly challenge?: string;
  readonly redirectUri?: string;
}

export interface TokenState {
  /** Hexadecimal; seals the tokens. */
  readonly key: string;
  /** The ids of consents that were revoked. */
  readonly revoked: readonly string[];
}

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresInSeconds: number;
  readonly consent: SandboxConsent;
}

const codeMs = minuteMs;
const accessMs = 10 * minuteMs;

export class SandboxTokens {
  readonly #clock: Clock;
  readonly #key: Buffer;
  readonly #revoked: Set<string>;
  readonly #usedCodes = new Set<string>();
  /** The latest generation of refresh tokens that was used. */
  readonly #generations = new Map<string, number>();
  readonly #save: (state: TokenState) => void;

  constructor(clock: Clock, state: TokenState, save: (state: TokenState) => void) {
    this.#clock = clock;
    this.#key = Buffer.from(state.key, 'hex');
    this.#revoked = new Set(state.revoked);
    this.#save = save;
  }

  /** The code that a customer's browser carries back after consenting. */
  issueCode(
    {
      bank,
      customer,
      clientId,
      consentDays,
    }: Omit<SandboxConsent, 'id' | 'expiresAt'> & { readonly consentDays: number },
    bound: { readonly challenge: string; readonly redirectUri: string },
  ): string {
    const expiresAt = this.#clock.now() + consentDays * dayMs;
    const consent = { id: randomBytes(8).toString('hex'), bank, customer, clientId, expiresAt };
    return this.#seal({ kind: 'code', consent, expiresAt: this.#clock.now() + codeMs, ...bound });
  }

  /** Undefined where the code is not valid, used before, or meant for somebody else. */
  redeemCode(
    code: string,
    { verifier, redirectUri }: { verifier: string; redirectUri: string },
  ): TokenPair | undefined {
    const content = this.#open(code, 'code');
    if (content === undefined || this.#usedCodes.has(code)) return undefined;
    if (content.challenge !== hash('sha256', verifier, 'base64url') || content.redirectUri !== redirectUri)
      return undefined;
    this.#usedCodes.add(code);
    return this.#issue(content.consent, 0);
  }

  /** Every use gives a new refresh token; the one before stays valid until the new one is used, in case the answer was lost. */
  refresh(token: string): TokenPair | undefined {
    const content = this.#open(token, 'refresh');
    if (content === undefined) return undefined;
    const { consent, generation = 0 } = content;
    const latest = Math.max(generation, this.#generations.get(consent.id) ?? 0);
    if (generation < latest) return undefined;
    this.#generations.set(consent.id, generation);
    return this.#issue(consent, generation + 1);
  }

  revoke(token: string): void {
    const content = this.#open(token, 'refresh') ?? this.#open(token, 'access');
    if (content === undefined) return;
    this.#revoked.add(content.consent.id);
    this.#save({ key: this.#key.toString('hex'), revoked: [...this.#revoked] });
  }

  findConsent(accessToken: string): SandboxConsent | undefined {
    return this.#open(accessToken, 'access')?.consent;
  }

  #issue(consent: SandboxConsent, generation: number): TokenPair {
    const now = this.#clock.now();
    const expiresAt = Math.min(consent.expiresAt, now + accessMs);
    return {
      accessToken: this.#seal({ kind: 'access', consent, expiresAt }),
      refreshToken: this.#seal({ kind: 'refresh', consent, generation, expiresAt: consent.expiresAt }),
      expiresInSeconds: Math.trunc((expiresAt - now) / secondMs),
      consent,
    };
  }

  #seal(content: TokenContent): string {
    const text = Buffer.from(JSON.stringify({ ...content, nonce: randomBytes(6).toString('hex') })).toString(
      'base64url',
    );
    return `${text}.${this.#tag(text)}`;
  }

  #tag(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }

  #open(token: string, kind: TokenKind): TokenContent | undefined {
    const [text = '', tag = ''] = token.split('.', 2);
    const [given, right] = [Buffer.from(tag), Buffer.from(this.#tag(text))];
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    const content: TokenContent = JSON.parse(Buffer.from(text, 'base64url').toString());
    const now = this.#clock.now();
    const isOver = content.expiresAt <= now || content.consent.expiresAt <= now;
    return content.kind !== kind || isOver || this.#revoked.has(content.consent.id) ? undefined : content;
  }
}
