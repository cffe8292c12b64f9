// Programs with a key of their own: the SDK signs assertions with it, and gets tokens that act as the key's registration says.

import { webcrypto } from 'node:crypto';
import { expect, test } from 'vitest';
import { Holdfast, type HoldfastOptions } from '../../../packages/sdk/src/index.ts';
import { makeEcPair, registerEc, registerRsa, type Signer } from '../../setup/access/assertion.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeMember } from '../../setup/people/members.ts';

const service = serviceForThisFile();

type More = Partial<HoldfastOptions> & { readonly subject?: string };

function clientWith({ privateKey, kid, workspaceId }: Signer, { subject, ...more }: More = {}): Holdfast {
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signingKey = { privateKey: pem, kid, issuer: workspaceId, ...(subject === undefined ? {} : { subject }) };
  const clock = { now: () => service.clock.now(), sleep: async () => {} };
  return new Holdfast({ url: service.admin.address, signingKey, clock, ...more });
}

test('a token has the wanted rights, and an RSA key may act for a person', async () => {
  const readOnly = clientWith(await registerEc(service.admin), { scope: 'read' });
  expect(await readOnly.me.get()).toMatchObject({ rights: ['read'] });
  const client = await service.admin.makeClient('Amsel Family');
  const member = await makeMember(service, client, { role: 'admin' });
  const asPerson = clientWith(await registerRsa(service.admin), { subject: member });
  expect((await asPerson.clients.list().toArray()).map(({ id }) => id)).toEqual([client]);
});

test('an answer that was lost costs another assertion, and no failure', async () => {
  let losses = 1;
  const lossy: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (losses-- > 0) throw new TypeError('The connection was reset.');
    return answer;
  };
  const holdfast = clientWith(await registerEc(service.admin), { fetch: lossy });
  expect(await holdfast.me.get()).toMatchObject({ workspace_id: service.first.workspaceId });
});

test('a key of Web Crypto that cannot be exported works, and an unknown key is refused', async () => {
  const pair = makeEcPair();
  const signer = await registerEc(service.admin, pair);
  const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'der' });
  const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' };
  const privateKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, ecdsa, false, ['sign']);
  const signingKey = { privateKey, kid: signer.kid, issuer: signer.workspaceId };
  const clock = { now: () => service.clock.now(), sleep: async () => {} };
  const holdfast = new Holdfast({ url: service.admin.address, signingKey, clock });
  expect(await holdfast.me.get()).toMatchObject({ workspace_id: signer.workspaceId });
  const stranger = clientWith({ ...signer, ...makeEcPair() });
  await expect(stranger.me.get()).rejects.toThrow(expect.objectContaining({ code: 'invalid_grant' }));
  const mistaken = new Holdfast({
    url: service.admin.address,
    clock,
    signingKey: { ...signingKey, privateKey: 'secret' },
  });
  await expect(mistaken.me.get()).rejects.toThrow('PKCS#8 as PEM');
});

test('keys of both kinds get another token when one has ended', async () => {
  const both = [clientWith(await registerEc(service.admin)), clientWith(await registerRsa(service.admin))];
  const before = await Promise.all(both.map((one) => one.accessToken()));
  service.clock.advance(3_600_000);
  for (const [index, holdfast] of both.entries()) {
    expect(await holdfast.me.get()).toMatchObject({ workspace_id: service.first.workspaceId });
    expect(await holdfast.accessToken()).not.toBe(before[index]);
  }
});
