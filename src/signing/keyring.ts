// Encrypts data at rest and computes keyed digests, with keys derived from ENCRYPTION_KEY. While that key is being replaced, a keyring holds
// two: both open, one of them seals.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The form of what the first key of a database has sealed: it names no key, as earlier releases wrote it. */
const unnamedVersion = 1;
/** The form of what every later key seals and digests: the version, then the key's fingerprint. */
const namedVersion = 2;
const fingerprintBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const digestBytes = 32;
const algorithm = 'aes-256-gcm';

/** The sealed value was changed, truncated, moved to another context, or sealed with another key. */
export class SealBroken extends Error {
  constructor(cause?: unknown) {
    super('A sealed value cannot be opened with this key in this context.', { cause });
    this.name = 'SealBroken';
  }
}

/** The keys do not continue the row of keys that the database has had. */
export class KeyOrderFault extends Error {}

/** What is computed with a subkey that outlives the key: no other key gives the same. */
export const keptPurposes = [
  'client-secret',
  'person-address',
  'mail-address',
  'audit-chain',
  'mcp-idempotency-key',
  'cursor',
] as const;
type KeptPurpose = (typeof keptPurposes)[number];
/** Digests of what is not stored. They can be carried over to the next key without knowing it. */
export type DigestPurpose = 'client-secret' | 'person-address' | 'mail-address';

/** What is kept of a key that was replaced. The key itself cannot be computed from it, nor anything opened. */
export interface ReplacedKey {
  readonly fingerprint: string;
  /** The fingerprint of the key that came next. */
  readonly replacedBy: string;
  readonly subkeys: ReadonlyMap<KeptPurpose, Uint8Array>;
}

/** The keys of the settings. `previous` and `next` only open; at most one of them is given. */
export interface KeyTexts {
  readonly present: string;
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

/** What a key of the settings, or one that the database has had, is to the keyring. */
export type KeyUse = 'present' | 'previous' | 'next' | 'replaced' | 'unknown';

/** A key of the chain that digests are made with: one of the settings, or what is kept of one that was replaced. */
interface Generation {
  readonly fingerprint: string;
  mac(purpose: KeptPurpose, message: Uint8Array | string): Buffer;
}

const hmac = (key: Uint8Array, message: Uint8Array | string): Buffer =>
  createHmac('sha256', key).update(message).digest();

/** The fingerprint of the key that sealed a value, as the value names it; empty for the first key of a database. Not verified. */
export function sealedBy(sealed: Uint8Array): string {
  const isNamed = sealed[0] === namedVersion;
  return isNamed ? Buffer.from(sealed.subarray(1, 1 + fingerprintBytes)).toString('hex') : '';
}

class Key implements Generation {
  readonly #master: Buffer;
  // Stays small: purposes are constants of the program, never parts of a request.
  readonly #derived = new Map<string, Buffer>();

  constructor(text: string, setting: string) {
    const trimmed = text.trim();
    if (/^[\da-f]{64}$/i.test(trimmed)) this.#master = Buffer.from(trimmed, 'hex');
    else if (/^[\w+/-]{43}=?$/.test(trimmed)) this.#master = Buffer.from(trimmed, 'base64');
    else throw new Error(`${setting} must be ${keyBytes} random bytes, as 64 hexadecimal digits or as base64.`);
  }

  get fingerprint(): string {
    return this.name.toString('hex');
  }

  get name(): Buffer {
    return this.derive('fingerprint').subarray(0, fingerprintBytes);
  }

  mac(purpose: string, message: Uint8Array | string): Buffer {
    return hmac(this.derive(`mac/${purpose}`), message);
  }

  /** What is kept of it once it is replaced. */
  keptSubkeys(): ReadonlyMap<KeptPurpose, Buffer> {
    return new Map(keptPurposes.map((purpose) => [purpose, this.derive(`mac/${purpose}`)]));
  }

  /** `named` is what the value begins with. */
  seal(
    purpose: string,
    plaintext: Uint8Array | string,
    { context, named }: { context: string; named: Buffer },
  ): Buffer {
    // Always random: a nonce used twice with the same key would reveal both texts and allow forged tags. Random nonces of 96 bits are
    // safe for 2^32 values of one purpose.
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.derive(`seal/${purpose}`), nonce, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(context, 'utf8'));
    const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext;
    const ciphertext = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([named, nonce, ...ciphertext, cipher.getAuthTag()]);
  }

  /** Opens nonce | ciphertext | tag. */
  open(purpose: string, bytes: Buffer, context: string): Buffer {
    if (bytes.length < nonceBytes + tagBytes) throw new SealBroken();
    const nonce = bytes.subarray(0, nonceBytes);
    const decipher = createDecipheriv(algorithm, this.derive(`seal/${purpose}`), nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(context, 'utf8'));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
    } catch (error) {
      throw new SealBroken(error);
    }
  }

  derive(label: string): Buffer {
    let key = this.#derived.get(label);
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', this.#master, '', `holdfast/${label}`, keyBytes));
      this.#derived.set(label, key);
    }
    return key;
  }
}

class Remnant implements Generation {
  readonly fingerprint: string;
  readonly #subkeys: ReplacedKey['subkeys'];

  constructor({ fingerprint, subkeys }: ReplacedKey) {
    this.fingerprint = fingerprint;
    this.#subkeys = subkeys;
  }

  mac(purpose: KeptPurpose, message: Uint8Array | string): Buffer {
    const subkey = this.#subkeys.get(purpose);
    if (subkey === undefined)
      throw new KeyOrderFault(`Of the replaced key ${this.fingerprint} there is no ${purpose}.`);
    return hmac(subkey, message);
  }
}

/** Puts keys that were replaced in the order in which they were, up to the one that `last` came after. */
function orderReplaced(replaced: readonly ReplacedKey[], last: string): readonly ReplacedKey[] {
  const before = new Map(replaced.map((key) => [key.replacedBy, key]));
  const ordered: ReplacedKey[] = [];
  for (let key = before.get(last); key !== undefined; key = before.get(key.fingerprint)) {
    if (ordered.includes(key)) throw new KeyOrderFault(`The key ${key.fingerprint} was replaced twice.`);
    ordered.unshift(key);
  }
  return ordered;
}

export class Keyring {
  /** Those that open, the oldest first. */
  readonly #keys: readonly Key[];
  /** The one that seals. */
  readonly #present: Key;
  readonly #previous: Key | undefined;
  readonly #next: Key | undefined;
  /** All keys that the database has had and is to have, the oldest first. */
  #generations: readonly Generation[];

  private constructor({
    present,
    previous,
    next,
  }: {
    present: Key;
    previous?: Key | undefined;
    next?: Key | undefined;
  }) {
    this.#present = present;
    this.#previous = previous;
    this.#next = next;
    this.#keys = [previous, present, next].filter((key) => key !== undefined);
    this.#generations = this.#keys;
  }

  static fromText(text: string): Keyring {
    return Keyring.fromTexts({ present: text });
  }

  static fromTexts({ present, previous, next }: KeyTexts): Keyring {
    return new Keyring({
      present: new Key(present, 'ENCRYPTION_KEY'),
      previous: previous === undefined ? undefined : new Key(previous, 'ENCRYPTION_KEY_PREVIOUS'),
      next: next === undefined ? undefined : new Key(next, 'ENCRYPTION_KEY_NEXT'),
    });
  }

  static generate(): string {
    return randomBytes(keyBytes).toString('hex');
  }

  /** Identifies the key that seals without revealing it, so that a start with the wrong key can be refused. */
  fingerprint(): string {
    return this.#present.fingerprint;
  }

  /** The fingerprints of the keys of the settings, by what they are for. */
  fingerprints(): {
    readonly present: string;
    readonly previous: string | undefined;
    readonly next: string | undefined;
  } {
    return {
      present: this.#present.fingerprint,
      previous: this.#previous?.fingerprint,
      next: this.#next?.fingerprint,
    };
  }

  /** What the key of a fingerprint is here. The empty one stands for the first key, which names itself nowhere. */
  useOf(fingerprint: string): KeyUse {
    const wanted = this.fullName(fingerprint);
    const { present, previous, next } = this.fingerprints();
    if (wanted === present) return 'present';
    if (wanted === previous) return 'previous';
    if (wanted === next) return 'next';
    return this.#generations.some((one) => one.fingerprint === wanted) ? 'replaced' : 'unknown';
  }

  /** The fingerprint by which a value names its key; the first key, which names itself nowhere, has one as well. */
  fullName(fingerprint: string): string {
    return fingerprint === '' ? (this.#generations[0]?.fingerprint ?? '') : fingerprint;
  }

  /** How everything that the present key makes names it; empty for the first key of a database. */
  get ownName(): string {
    return this.#generations[0] === this.#present ? '' : this.fingerprint();
  }

  /** Takes in what the database has kept of keys that were replaced. Throws `KeyOrderFault` where the settings name them in another order. */
  learn(replaced: readonly ReplacedKey[]): void {
    for (const [index, { fingerprint }] of this.#keys.entries()) {
      const known = replaced.find((one) => one.fingerprint === fingerprint);
      const following = this.#keys[index + 1]?.fingerprint;
      if (known !== undefined && known.replacedBy !== following)
        throw new KeyOrderFault(`The key ${fingerprint} was replaced by the key ${known.replacedBy} in this database.`);
    }
    const oldest = this.#keys[0]?.fingerprint ?? '';
    const own = new Set(this.#keys.map(({ fingerprint }) => fingerprint));
    const others = replaced.filter(({ fingerprint }) => !own.has(fingerprint));
    this.#generations = [...orderReplaced(others, oldest).map((one) => new Remnant(one)), ...this.#keys];
    this.#learnt = orderReplaced(others, oldest);
  }

  #learnt: readonly ReplacedKey[] = [];

  /** What is to be kept of every key older than the present one. */
  get replaced(): readonly ReplacedKey[] {
    const previous = this.#previous;
    if (previous === undefined) return this.#learnt;
    const { fingerprint } = previous;
    return [...this.#learnt, { fingerprint, replacedBy: this.fingerprint(), subkeys: previous.keptSubkeys() }];
  }

  /** Returns name | nonce | ciphertext | tag. The context is not included; the same one must be given to `open`. */
  seal(purpose: string, plaintext: Uint8Array | string, context: string): Buffer {
    const name = this.#nameOf(this.#present);
    return this.#present.seal(purpose, plaintext, {
      context,
      named: name.length === 0 ? Buffer.of(unnamedVersion) : name,
    });
  }

  /** Opens what any key of the settings has sealed. */
  open(purpose: string, sealed: Uint8Array, context: string): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes[0] === namedVersion) {
      const name = bytes.subarray(1, 1 + fingerprintBytes);
      const key = this.#keys.find((one) => one.name.equals(name));
      if (key === undefined) throw new SealBroken();
      return key.open(purpose, bytes.subarray(1 + fingerprintBytes), context);
    }
    if (bytes[0] !== unnamedVersion) throw new SealBroken();
    let failure: unknown;
    for (const key of this.#keys) {
      try {
        return key.open(purpose, bytes.subarray(1), context);
      } catch (error) {
        failure = error;
      }
    }
    throw new SealBroken(failure);
  }

  /** Computed with the key that seals. For what is given out for a while: `macs` are what to compare it with. */
  mac(purpose: string, message: Uint8Array | string): Buffer {
    return this.#present.mac(purpose, message);
  }

  /** Computed with each key of the settings, the present one first. */
  macs(purpose: string, message: Uint8Array | string): readonly Buffer[] {
    return this.#presentFirst().map((key) => key.mac(purpose, message));
  }

  /** Computed with the first key that the database has had: the same whichever keys came after it. */
  lastingMac(purpose: 'mcp-idempotency-key' | 'cursor', message: Uint8Array | string): Buffer {
    return (this.#generations[0] ?? this.#present).mac(purpose, message);
  }

  /** Each key that the database has had, the newest first. */
  get history(): readonly Pick<Generation, 'fingerprint' | 'mac'>[] {
    return this.#generations.toReversed();
  }

  /**
   * Stands for a text that must not be stored. Goes through all keys that the database has had, so that a stored digest is carried over to
   * the next key as it is, and equal texts have equal digests again afterwards.
   */
  digest(purpose: DigestPurpose, message: Uint8Array | string): Buffer {
    return this.#digestOf(this.#present, purpose, message);
  }

  /** The digests by which each key of the settings knows a text, the present one first. */
  digests(purpose: DigestPurpose, message: Uint8Array | string): readonly Buffer[] {
    return this.#presentFirst().map((key) => this.#digestOf(key, purpose, message));
  }

  /** Carries a digest of an older key over to the present one; undefined if no key is known that it could be of. */
  carryOver(purpose: DigestPurpose, stored: Uint8Array): Buffer | undefined {
    const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
    const isNamed = bytes.length === 1 + fingerprintBytes + digestBytes && bytes[0] === namedVersion;
    if (!isNamed && bytes.length !== digestBytes) return undefined;
    const fingerprint = bytes.subarray(1, 1 + fingerprintBytes).toString('hex');
    const from = isNamed ? this.#generations.findIndex((one) => one.fingerprint === fingerprint) : 0;
    const until = this.#generations.indexOf(this.#present);
    if (from < 0 || from > until) return undefined;
    return this.#named(this.#present, this.#continue(purpose, bytes.subarray(-digestBytes), { from, until }));
  }

  /** What digests of the same text may be stored as, given one of them: as it is, and carried over. */
  equivalents(purpose: DigestPurpose, stored: Buffer): readonly Buffer[] {
    const carried = this.carryOver(purpose, stored);
    return carried === undefined || carried.equals(stored) ? [stored] : [carried, stored];
  }

  #digestOf(key: Key, purpose: DigestPurpose, message: Uint8Array | string): Buffer {
    const until = this.#generations.indexOf(key);
    const first = (this.#generations[0] ?? key).mac(purpose, message);
    return this.#named(key, this.#continue(purpose, first, { from: 0, until }));
  }

  #continue(purpose: DigestPurpose, digest: Buffer, { from, until }: { from: number; until: number }): Buffer {
    const further = this.#generations.slice(from + 1, until + 1);
    // No text that is digested begins so.
    return further.reduce(
      (inner, key) => key.mac(purpose, Buffer.concat([Buffer.from('carried over\0'), inner])),
      digest,
    );
  }

  #named(key: Key, digest: Buffer): Buffer {
    return Buffer.concat([this.#nameOf(key), digest]);
  }

  #nameOf(key: Key): Buffer {
    return this.#generations[0] === key ? Buffer.alloc(0) : Buffer.concat([Buffer.of(namedVersion), key.name]);
  }

  #presentFirst(): readonly Key[] {
    return [this.#present, ...this.#keys.filter((key) => key !== this.#present)];
  }
}
