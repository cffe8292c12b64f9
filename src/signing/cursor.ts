// Signs and checks cursors: the position in a list, in a text that cannot be forged or used for another list.

import { timingSafeEqual } from 'node:crypto';
import { Refusal } from '../kit/refusal.ts';
import { isBase64url } from './compact-jws.ts';
import type { Keyring } from './keyring.ts';

const version = 1;
const headerBytes = 7;
const macBytes = 16;
/** In characters. */
export const cursorSizeMax = 1024;

interface CursorContent {
  /** Tenant, operation and filters. Signed but not included, so that a cursor is invalid for any other list. */
  readonly listKey: string;
  readonly position: string;
  /** Epoch milliseconds. `never`: it does not expire, and is the same whichever encryption key came after the first one. */
  readonly issuedAt: number | 'never';
}

/** Returns base64url of version | issuedAt | position | mac. */
export function signCursor(keyring: Keyring, { listKey, position, issuedAt }: CursorContent): string {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(version);
  header.writeUIntBE(issuedAt === 'never' ? 0 : issuedAt, 1, headerBytes - 1);
  const body = Buffer.concat([header, Buffer.from(position, 'utf8')]);
  const signed = signedBytes({ listKey, body });
  const mac = issuedAt === 'never' ? keyring.lastingMac('cursor', signed) : keyring.mac('cursor', signed);
  const text = Buffer.concat([body, mac.subarray(0, macBytes)]).toString('base64url');
  if (text.length > cursorSizeMax) throw new Error('The position is too long for a cursor.');
  return text;
}

interface CursorCheck {
  readonly listKey: string;
  readonly now: number;
  /** Infinite for a cursor that does not expire. */
  readonly lifetimeMs: number;
}

/** Returns the position. */
export function readCursor(keyring: Keyring, text: string, { listKey, now, lifetimeMs }: CursorCheck): string {
  if (typeof text !== 'string' || text.length > cursorSizeMax || !isBase64url(text)) throw invalid();
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < headerBytes + macBytes) throw invalid();
  const body = bytes.subarray(0, -macBytes);
  const signed = signedBytes({ listKey, body });
  const macs = lifetimeMs === Infinity ? [keyring.lastingMac('cursor', signed)] : keyring.macs('cursor', signed);
  if (!macs.some((mac) => timingSafeEqual(bytes.subarray(-macBytes), mac.subarray(0, macBytes)))) throw invalid();
  if (body[0] !== version) throw invalid();
  if (now - body.readUIntBE(1, headerBytes - 1) > lifetimeMs) {
    throw refusal('cursor-expired', 'This cursor has expired. Start again from the beginning of the list.');
  }
  return body.toString('utf8', headerBytes);
}

function signedBytes({ listKey, body }: { listKey: string; body: Buffer }): Buffer {
  const listKeyBytes = Buffer.from(listKey, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(listKeyBytes.length);
  return Buffer.concat([length, listKeyBytes, body]);
}

function invalid(): Refusal {
  return refusal('cursor-invalid', 'This cursor does not belong to this list. Start again without a cursor.');
}

function refusal(code: string, detail: string): Refusal {
  return new Refusal(code, detail, { faults: [{ code, detail, parameter: 'cursor' }] });
}
