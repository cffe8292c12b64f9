// The confirmation of a call that was checked. It is keyed, means one call of one tool by one caller, and is good for some minutes.

import { timingSafeEqual } from 'node:crypto';
import { minuteMs, type Clock } from '../../kit/clock.ts';
import { writeJson, type Json, type JsonObject } from '../../kit/json.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { Keyring } from '../../signing/keyring.ts';
import { RpcError } from './json-rpc.ts';

/** How long a person has for agreeing to what an assistant shows. */
const confirmationLifetimeMs = 10 * minuteMs;
const macBytes = 16;

const purpose = 'mcp-confirmation';
const shortened = (mac: Buffer): string => mac.subarray(0, macBytes).toString('hex');

/** What is confirmed. */
export interface ConfirmedCall {
  readonly caller: Caller;
  readonly tool: string;
  readonly args: JsonObject;
}

/** Each part ends where the next one begins, whatever it contains. */
function textOf({ caller, tool, args }: ConfirmedCall): string {
  const { workspaceId, environment, credentialId } = caller.scope;
  return JSON.stringify([workspaceId, environment, credentialId, caller.subject, tool, writeJson(args)]);
}

export class Confirmations {
  readonly #keyring: Keyring;
  readonly #clock: Clock;

  constructor({ keyring, clock }: { readonly keyring: Keyring; readonly clock: Clock }) {
    this.#keyring = keyring;
    this.#clock = clock;
  }

  make(call: ConfirmedCall): string {
    return this.#signed(call, this.#clock.now() + confirmationLifetimeMs);
  }

  /** Throws unless the confirmation was made for this call, and in time. */
  check(confirmation: Json, call: ConfirmedCall): void {
    const [, until = ''] = typeof confirmation === 'string' ? (/^(\d{1,15})-/.exec(confirmation) ?? []) : [];
    const given = Buffer.from(String(confirmation));
    const isThis = (expected: Buffer): boolean => given.length === expected.length && timingSafeEqual(given, expected);
    if (until === '' || !this.#accepted(call, Number(until)).some(isThis))
      throw new RpcError('invalidParams', 'The confirmation is not of this call. Check it again without one.');
    if (Number(until) <= this.#clock.now())
      throw new RpcError('invalidParams', 'The confirmation has expired. Check the call again without one.');
  }

  /** The same for equal calls: a call that is checked and confirmed again is made once, with whichever encryption key a node starts. */
  idempotencyKey(call: ConfirmedCall): string {
    return `mcp-${shortened(this.#keyring.lastingMac('mcp-idempotency-key', textOf(call)))}`;
  }

  #signed(call: ConfirmedCall, until: number): string {
    return `${until}-${shortened(this.#keyring.mac(purpose, `${until} ${textOf(call)}`))}`;
  }

  #accepted(call: ConfirmedCall, until: number): readonly Buffer[] {
    const macs = this.#keyring.macs(purpose, `${until} ${textOf(call)}`);
    return macs.map((mac) => Buffer.from(`${until}-${shortened(mac)}`));
  }
}
