// Signed cursors: where a list was left, in a text nobody can forge or use elsewhere. Cannot read a position.

import { timingSafeEqual } from 'node:crypto';
import { Refusal } from '../kit/refusal.ts';
import { isBase64url } from './compact-jws.ts';
import type { Keyring } from './keyring.ts';

const version = 1;
const headBytes = 7;
const macBytes = 16;
export const cursorSizeMax = 1024;

export interface CursorContent {
  /** Tenant, operation and filters. Signed but not carried, so a cursor is worth nothing in any other list. */
  readonly scope: string;
  readonly position: string;
  /** Epoch milliseconds. */
  readonly issuedAt: number;
}

/** base64url of version | issuedAt | position | mac. */
export function signCursor(keyring: Keyring, { scope, position, issuedAt }: CursorContent): string {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(version);
  head.writeUIntBE(issuedAt, 1, headBytes - 1);
  const body = Buffer.concat([head, Buffer.from(position, 'utf8')]);
  const text = Buffer.concat([body, cursorMac(keyring, { scope, body })]).toString('base64url');
  if (text.length > cursorSizeMax) throw new Error('The position is too long for a cursor.');
  return text;
}

export interface CursorReading {
  readonly scope: string;
  readonly now: number;
  readonly lifetimeMs: number;
}

/** The position. */
export function readCursor(keyring: Keyring, text: string, { scope, now, lifetimeMs }: CursorReading): string {
  if (typeof text !== 'string' || text.length > cursorSizeMax || !isBase64url(text)) throw invalid();
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < headBytes + macBytes) throw invalid();
  const body = bytes.subarray(0, -macBytes);
  if (!timingSafeEqual(bytes.subarray(-macBytes), cursorMac(keyring, { scope, body }))) throw invalid();
  if (body[0] !== version) throw invalid();
  if (now - body.readUIntBE(1, headBytes - 1) > lifetimeMs) {
    throw refusal('cursor-expired', 'This cursor has expired; start again from the beginning of the list.');
  }
  return body.toString('utf8', headBytes);
}

function cursorMac(keyring: Keyring, { scope, body }: { scope: string; body: Buffer }): Buffer {
  const scopeBytes = Buffer.from(scope, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(scopeBytes.length);
  return keyring.mac('cursor', Buffer.concat([length, scopeBytes, body])).subarray(0, macBytes);
}

function invalid(): Refusal {
  return refusal('cursor-invalid', 'This cursor was not made for this list; start again without one.');
}

function refusal(code: string, detail: string): Refusal {
  return new Refusal(code, detail, { faults: [{ code, detail, parameter: 'cursor' }] });
}
