// Digests of what reports are computed from: texts, objects that never change, and series.

import { hash } from 'node:crypto';
import type { Series } from '../../../engine/amounts/series.ts';

export function digest(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, 22);
}

/** Digests an object once: what was read does not change, and is shared by later inputs. */
export function digestedOnce<T extends object>(compute: (value: T) => string): (value: T) => string {
  const known = new WeakMap<T, string>();
  return (value) => {
    let found = known.get(value);
    if (found === undefined) known.set(value, (found = compute(value)));
    return found;
  };
}

export const seriesDigest = digestedOnce(({ days, column: { values, scale, wide } }: Series) =>
  digest(`${bytesDigest(days)} ${bytesDigest(values)} ${scale} ${[...wide].join(' ')}`),
);

function bytesDigest({ buffer, byteOffset, byteLength }: Int32Array | Float64Array): string {
  return digest(new Uint8Array(buffer, byteOffset, byteLength));
}
