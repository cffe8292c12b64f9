// Reads declared fields from a request on any wire, and collects all faults with their places.

import { FieldFault, type NameStyle } from '../../../kit/field.ts';
import { InnerFaults } from '../../../kit/structured-field.ts';
import type { Id } from '../../../kit/id.ts';
import type { Json } from '../../../kit/json.ts';
import { Refusal, refusalForFaults, type Fault } from '../../../kit/refusal.ts';
import type { Attribute, Relation } from '../../../kit/resource.ts';

export type WritePurpose = 'create' | 'change';

/** How many faults one answer lists: a small body can have very many. */
const faultsListedMax = 100;

/** Collects the faults of a body, so that one answer lists them all. */
export class Faults {
  readonly #faults: Fault[] = [];
  #count = 0;

  add(code: string, pointer: string, detail: string): void {
    if (this.#count++ < faultsListedMax) this.#faults.push({ code, pointer, detail });
  }

  /** Reads a value; notes the faults and returns undefined if it has any. */
  tryRead<T>(pointer: string, name: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      if (error instanceof InnerFaults) this.#addInner(pointer, name, error);
      else this.add('invalid-attribute', pointer, `${name} ${error.message}.`);
      return undefined;
    }
  }

  #addInner(pointer: string, name: string, { inner }: InnerFaults): void {
    for (const { code, path, message } of inner) {
      const pointerSuffix = path.map((step) => `/${pointerToken(String(step))}`).join('');
      const nameSuffix = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
      this.add(code, pointer + pointerSuffix, `${name}${nameSuffix} ${message}.`);
    }
  }

  throwIfAny(): void {
    if (this.#count > 0) throw refuseMany('invalid-document', this.#faults, this.#count);
  }
}

/** Makes a refusal that lists at most the first faults. */
export function refuseMany(code: string, faults: readonly Fault[], count = faults.length): Refusal {
  if (count <= faultsListedMax) return refusalForFaults(code, faults);
  const detail = `The request has ${count} faults; the first ${faultsListedMax} are listed.`;
  return new Refusal(code, detail, { faults: faults.slice(0, faultsListedMax) });
}

/** Whether a field may be sent. A change may contain a fixed field with its present value. */
export function isAccepted(field: Attribute | Relation, purpose: WritePurpose): boolean {
  return purpose === 'change' || field.writable !== 'never';
}

/** Whether the caller can choose the value of a field. */
export function isSettable({ writable }: Attribute | Relation, purpose: WritePurpose): boolean {
  return writable === 'always' || (purpose === 'create' && writable === 'at-creation');
}

/** Whether a record cannot be created without the field. */
export function isRequiredOnCreate(field: Attribute | Relation): boolean {
  return field.required === true && isSettable(field, 'create');
}

export function readAttribute(attribute: Attribute, value: Json, names: NameStyle): unknown {
  if (value === null) {
    if (attribute.nullable) return null;
    throw new FieldFault('must not be null');
  }
  return attribute.kind.read(value, names);
}

/** Reads a set of distinct ids. */
export function readIds(items: readonly Json[], readOne: (item: Json) => Id): readonly Id[] {
  const ids = items.map(readOne);
  if (new Set(ids).size !== ids.length) throw new FieldFault('must not repeat an id');
  return ids;
}

/** One token of a JSON pointer. */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
