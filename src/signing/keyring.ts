// Encrypts data at rest and computes keyed digests, with keys derived from ENCRYPTION_KEY.

import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
const algorithm = 'aes-256-gcm';

/** The sealed value was changed, truncated, moved to another context, or sealed with another key. */
export class SealBroken extends Error {
  constructor(cause?: unknown) {
    super('A sealed value cannot be opened with this key in this context.', { cause });
    this.name = 'SealBroken';
  }
}

export class Keyring {
  readonly #master: Buffer;
  // Stays small: purposes are constants of the program, never parts of a request.
  readonly #derived = new Map<string, Buffer>();

  private constructor(master: Buffer) {
    this.#master = master;
  }

  static fromText(text: string): Keyring {
    const trimmed = text.trim();
    if (/^[\da-f]{64}$/i.test(trimmed)) return new Keyring(Buffer.from(trimmed, 'hex'));
    if (/^[\w+/-]{43}=?$/.test(trimmed)) return new Keyring(Buffer.from(trimmed, 'base64'));
    throw new Error(`ENCRYPTION_KEY must be ${keyBytes} random bytes, as 64 hexadecimal digits or as base64.`);
  }

  static generate(): string {
    return randomBytes(keyBytes).toString('hex');
  }

  /** Identifies the key without revealing it, so that a start with the wrong key can be refused. */
  fingerprint(): string {
    return this.#derive('fingerprint').subarray(0, 8).toString('hex');
  }

  /** Returns version | nonce | ciphertext | tag. The context is not included; the same one must be given to `open`. */
  seal(purpose: string, plaintext: Uint8Array | string, context: string): Buffer {
    // Always random: a nonce used twice with the same key would reveal both texts and allow forged tags. Random nonces of 96 bits are
    // safe for 2^32 values of one purpose.
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#derive(`seal/${purpose}`), nonce, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(context, 'utf8'));
    const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext;
    const ciphertext = [cipher.update(bytes), cipher.final()];
    return Buffer.concat([Buffer.of(version), nonce, ...ciphertext, cipher.getAuthTag()]);
  }

  open(purpose: string, sealed: Uint8Array, context: string): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes.length < 1 + nonceBytes + tagBytes || bytes[0] !== version) throw new SealBroken();
    const nonce = bytes.subarray(1, 1 + nonceBytes);
    const decipher = createDecipheriv(algorithm, this.#derive(`seal/${purpose}`), nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(context, 'utf8'));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes)), decipher.final()]);
    } catch (error) {
      throw new SealBroken(error);
    }
  }

  mac(purpose: string, message: Uint8Array | string): Buffer {
    return createHmac('sha256', this.#derive(`mac/${purpose}`))
      .update(message)
      .digest();
  }

  #derive(label: string): Buffer {
    let key = this.#derived.get(label);
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', this.#master, '', `holdfast/${label}`, keyBytes));
      this.#derived.set(label, key);
    }
    return key;
  }
}
