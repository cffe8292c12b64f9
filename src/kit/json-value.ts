// What JSON text becomes: values whose numbers keep their digits, or a fault. Knows no text and no fields.

export type Json = null | boolean | string | JsonNumber | Json[] | JsonObject;

/** Inherits nothing, so `__proto__` is a member like any other and `constructor` is only there if it was sent. */
export type JsonObject = { [member: string]: Json };

// Not in TypeScript's library yet.
export const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** A number as it was written, never a double. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return rawJSON(this.text);
  }
}

export type JsonFaultReason =
  | 'malformed'
  | 'empty'
  | 'trailing-text'
  | 'byte-order-mark'
  | 'invalid-utf8'
  | 'too-deep'
  | 'duplicate-member'
  | 'lone-surrogate'
  | 'nul-character'
  | 'control-character'
  | 'number-too-long';

export interface JsonLocation {
  /** In UTF-16 units of the text; for `invalid-utf8` in bytes. */
  readonly offset: number;
  readonly pointer?: string | undefined;
}

/** Its message may be shown to whoever sent the text. */
export class JsonFault extends Error {
  readonly reason: JsonFaultReason;
  readonly offset: number;
  /** Set where the text is JSON but not acceptable; text that is not JSON has no pointers. */
  readonly pointer: string | undefined;

  constructor(reason: JsonFaultReason, detail: string, location: JsonLocation) {
    super(detail);
    this.name = 'JsonFault';
    this.reason = reason;
    this.offset = location.offset;
    this.pointer = location.pointer;
  }
}
