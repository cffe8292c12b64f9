// Sends the writes of the reference as its page has them on a service with the demo: what is filled in is accepted.

import { expect, test } from 'vitest';
import { fetchDemoDocument } from '../../../../tests/setup/http/demo-document.ts';
import { serviceForThisFile } from '../../../../tests/setup/node/test-service.ts';

const service = serviceForThisFile({ settings: { DEMO: 'on' } });

const refused: Readonly<Record<string, string>> = {
  // A new one has just got the name or the address.
  'v1.custodian.change': 'custodian-exists',
  'v1.user.change': 'address-taken',
  // The demo has one only once it is connected to its banks.
  'v1.identifier-mapping.change': 'identifier-mapping-not-found',
  'v1.reconciliation-break.change': 'reconciliation-break-not-found',
  'v1.webhook.change': 'webhook-not-found',
  // Its import is of another client than the account of the examples.
  'v1.import.change': 'different-client',
  // It has those that are shipped, and no limit with an upper bound alone.
  'v1.import-profile.change': 'import-profile-read-only',
  'v1.limit.change': 'invalid-document',
};

interface Write {
  readonly operationId: string;
  readonly method: string;
  readonly url: string;
  readonly type: string;
  readonly body: string;
}

/** Operations that create or change records of v1, in the order of the document: nothing is deleted before. */
function writesOf(document: any): readonly Write[] {
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    ['post', 'patch'].flatMap((method) => {
      const { operationId = '', parameters = [], requestBody } = item[method] ?? {};
      const isWanted = /^v1\..+\.(create|bulk|bulk-across|change|check)$/.test(operationId);
      const [[type, media] = []] = Object.entries<any>(requestBody?.content ?? {});
      if (!isWanted || type === undefined || media.example === undefined) return [];
      const url = path.replace(
        /\{(\w+)\}/,
        (_: string, name: string) => parameters.find((one: any) => one.name === name).example,
      );
      const body = typeof media.example === 'string' ? media.example : JSON.stringify(media.example);
      return [{ operationId, method: method.toUpperCase(), url, type, body }];
    }),
  );
}

test('a write that is tried out as it is filled in is accepted', async () => {
  const { baseUrl } = service.addresses;
  const headers = { origin: baseUrl, 'sec-fetch-site': 'same-origin' };
  const given: any = await (await fetch(`${baseUrl}/docs/token`, { method: 'POST', headers })).json();
  const outcomes: Record<string, string> = {};
  const writes = writesOf(await fetchDemoDocument(baseUrl));
  for (const { operationId, method, url, type, body } of writes) {
    const response = await fetch(baseUrl + url, {
      method,
      headers: { authorization: `Bearer ${given.access_token}`, 'content-type': type },
      body,
    });
    const answer: any = await response.json();
    if (response.status >= 300) outcomes[operationId] = answer.code;
  }
  expect(outcomes).toEqual(refused);
  expect(writes.length).toBeGreaterThan(50);
});
