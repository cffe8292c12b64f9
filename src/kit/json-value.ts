// The values that JSON text is read into, with all digits of their numbers, and the faults of unreadable text.

export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject;

/** Has no prototype members: `__proto__` is an ordinary member, and `constructor` is present only if it was sent. */
export type JsonObject = { [member: string]: Json };

// TypeScript's library does not declare it yet.
export const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** A number with the digits that were sent, never a double. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return rawJSON(this.text);
  }
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** What a document may have at most. */
export interface JsonLimits {
  readonly depthMax?: number;
  /** How many values the document may have, each member and item counted. */
  readonly valuesMax?: number;
  /** How many members an object may have. */
  readonly membersMax?: number;
}

export type JsonFaultReason =
  | 'malformed'
  | 'empty'
  | 'trailing-text'
  | 'byte-order-mark'
  | 'invalid-utf8'
  | 'too-deep'
  | 'too-many-values'
  | 'too-many-members'
  | 'duplicate-member'
  | 'lone-surrogate'
  | 'nul-character'
  | 'control-character'
  | 'number-too-long';

interface JsonLocation {
  /** In UTF-16 code units; for `invalid-utf8` in bytes. */
  readonly offset: number;
  readonly pointer?: string | undefined;
}

/** Why JSON text was refused. The message may be shown to the caller. */
export class JsonFault extends Error {
  readonly reason: JsonFaultReason;
  readonly offset: number;
  /** Set if the text is valid JSON but not acceptable. */
  readonly pointer: string | undefined;

  constructor(reason: JsonFaultReason, detail: string, location: JsonLocation) {
    super(detail);
    this.name = 'JsonFault';
    this.reason = reason;
    this.offset = location.offset;
    this.pointer = location.pointer;
  }
}
