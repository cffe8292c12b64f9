// Reading declared fields out of what was sent, on any wire: each fault with its own place, all of them at once.

import { FieldFault } from '../../kit/field.ts';
import { JsonNumber, type Json } from '../../kit/json.ts';
import { refuseFaults, type Fault } from '../../kit/refusal.ts';
import type { Attribute, ToOne } from '../../kit/resource.ts';

export type Purpose = 'create' | 'change';

/** Gathers what is wrong with a body, so that a caller hears of everything in one answer. */
export class Faults {
  readonly #faults: Fault[] = [];

  add(code: string, pointer: string, detail: string): void {
    this.#faults.push({ code, pointer, detail });
  }

  /** The value, or undefined with a fault noted. */
  reading<T>(pointer: string, name: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      this.add('invalid-attribute', pointer, `${name} ${error.message}.`);
      return undefined;
    }
  }

  refuseIfAny(): void {
    if (this.#faults.length > 0) throw refuseFaults('invalid-document', this.#faults);
  }
}

/** Whether a field may be sent at all. On a change it may be sent with its present value even if it is fixed. */
export function isTaken(field: Attribute | ToOne, purpose: Purpose): boolean {
  return purpose === 'change' || field.writable !== 'never';
}

export function readAttribute(attribute: Attribute, value: Json): unknown {
  if (value === null) {
    if (attribute.nullable) return null;
    throw new FieldFault('must not be null');
  }
  return attribute.kind.read(value);
}

/** One token of a JSON pointer. */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function isObject(value: Json | undefined): value is { [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}
