// Reads declared fields from a request on any wire, and collects all faults with their places.

import { FieldFault, type NameStyle } from '../../../kit/field.ts';
import { InnerFaults } from '../../../kit/structured-field.ts';
import type { Id } from '../../../kit/id.ts';
import type { Json } from '../../../kit/json.ts';
import { faultsListedMax, isCut, Refusal, refusalForFaults, type Fault } from '../../../kit/refusal.ts';
import type { Attribute, Relation } from '../../../kit/resource.ts';

export type WritePurpose = 'create' | 'change';

/** Whether faults are described, or only the first is found: for rows of a bulk body, when no more faults are listed. */
export type FaultDetail = 'described' | 'undescribed';

/** Refuses a body whose faults nobody will see, without describing them. It is made once, since making one takes long. */
const undescribedRefusal = new Refusal('invalid-document', 'The request has faults.');

/** Collects the faults of a body, so that one answer lists them all. */
export class Faults {
  readonly #faults: Fault[] = [];
  readonly #detail: FaultDetail;

  constructor(detail: FaultDetail = 'described') {
    this.#detail = detail;
  }

  /** Throws once there are more faults than one answer lists, so that no time is spent on finding the others. */
  add(code: string, pointer: string, detail: string): void {
    if (this.#detail === 'undescribed') throw undescribedRefusal;
    this.#faults.push({ code, pointer, detail });
    if (this.#faults.length > faultsListedMax) this.throwIfAny();
  }

  /** Adds those of a part that was read by itself. */
  addAll(refusal: Refusal, pointer: string): void {
    for (const fault of refusal.faults) this.add(fault.code, fault.pointer ?? pointer, fault.detail);
    if (isCut(refusal)) throw refusalForFaults('invalid-document', this.#faults, 'and-more');
  }

  /** Reads a value; notes the faults and returns undefined if it has any. */
  tryRead<T>(pointer: string, name: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.addFieldFault(pointer, name, error);
      return undefined;
    }
  }

  /** Adds what reading a field has thrown. Throws what is no fault of the field. */
  addFieldFault(pointer: string, name: string, error: unknown): void {
    if (!(error instanceof FieldFault)) throw error;
    if (error instanceof InnerFaults) this.#addInner(pointer, name, error);
    else this.add('invalid-attribute', pointer, `${name} ${error.message}.`);
  }

  #addInner(pointer: string, name: string, { inner }: InnerFaults): void {
    for (const { code, path, message } of inner) {
      const pointerSuffix = path.map((step) => `/${pointerToken(String(step))}`).join('');
      const nameSuffix = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
      this.add(code, pointer + pointerSuffix, `${name}${nameSuffix} ${message}.`);
    }
  }

  throwIfAny(): void {
    if (this.#faults.length > 0) throw refusalForFaults('invalid-document', this.#faults);
  }
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
