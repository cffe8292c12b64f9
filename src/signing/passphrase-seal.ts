// Seals a short secret with a passphrase, for keeping it where others may read: scrypt makes guessing slow, AES-256-GCM notices changes.

import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { SealBroken } from './keyring.ts';

const algorithm = 'aes-256-gcm';
const [saltBytes, nonceBytes, tagBytes, keyBytes] = [16, 12, 16, 32];
/** Takes 128 MiB and about half a second for each guess. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const version = 'scrypt-aes256gcm-1';

const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);

/** The context is not included; the same one must be given to `openWithPassphrase`. */
export async function sealWithPassphrase(secret: string, passphrase: string, context: string): Promise<string> {
  const [salt, nonce] = [randomBytes(saltBytes), randomBytes(nonceBytes)];
  const key = await derive(passphrase.normalize('NFKC'), salt, keyBytes, cost);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context));
  const ciphertext = [cipher.update(secret, 'utf8'), cipher.final()];
  return `${version}:${Buffer.concat([salt, nonce, ...ciphertext, cipher.getAuthTag()]).toString('base64')}`;
}

/** Throws `SealBroken` for a wrong passphrase or context, and for anything that was changed. */
export async function openWithPassphrase(sealed: string, passphrase: string, context: string): Promise<string> {
  const [found, text = ''] = sealed.split(':');
  const bytes = Buffer.from(text, 'base64');
  if (found !== version || bytes.length < saltBytes + nonceBytes + tagBytes) throw new SealBroken();
  const key = await derive(passphrase.normalize('NFKC'), bytes.subarray(0, saltBytes), keyBytes, cost);
  const nonce = bytes.subarray(saltBytes, saltBytes + nonceBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const plain = [decipher.update(bytes.subarray(saltBytes + nonceBytes, -tagBytes)), decipher.final()];
    return Buffer.concat(plain).toString();
  } catch (error) {
    throw new SealBroken(error);
  }
}
