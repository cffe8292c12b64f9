import { describe, expect, test } from 'vitest';
import { generateSigningKey } from './access-token.ts';
import { ImportedKeyCache } from './imported-key-cache.ts';

describe('imported keys', () => {
  test('are the same object for the same key, even if it was read twice from a store', async () => {
    const { publicJwk } = await generateSigningKey();
    const keys = new ImportedKeyCache({ sizeMax: 2 });
    expect(await keys.get({ ...publicJwk })).toBe(await keys.get({ ...publicJwk }));
  });

  test('are bounded in number', async () => {
    const keys = new ImportedKeyCache({ sizeMax: 2 });
    for (let count = 0; count < 4; count += 1) await keys.get((await generateSigningKey()).publicJwk);
    expect(keys.size).toBe(2);
  });
});
