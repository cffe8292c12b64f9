// Compares the served document with the agreed contract. An intended change needs new fingerprints from `npm run contract`, and an
// entry in the changelog.

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openApiFingerprints, type OpenApiDocument } from '../../setup/http/openapi-fingerprints.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const contractFile = fileURLToPath(new URL('openapi-fingerprints.json', import.meta.url));
const service = workspaceForThisFile();

test('the document differs from the agreed contract in texts and examples only', async () => {
  const { body } = await service.admin.get('/openapi.json');
  const fingerprints = openApiFingerprints(body as OpenApiDocument);
  expect(Object.keys(fingerprints).length).toBeGreaterThan(600);
  await expect(`${JSON.stringify(fingerprints, null, 2)}\n`).toMatchFileSnapshot(contractFile);
});

test('a text is ignored, and a field called description is not', () => {
  const documentWith = (schema: unknown): OpenApiDocument => ({
    paths: {},
    webhooks: {},
    components: { schemas: { Note: schema } as Record<string, unknown> },
  });
  const of = (description: string, type: string): Record<string, string> =>
    openApiFingerprints(documentWith({ description, properties: { description: { type, description } } }));
  expect(of('A note.', 'string')).toEqual(of('One note.', 'string'));
  expect(of('A note.', 'string')).not.toEqual(of('A note.', 'integer'));
});
