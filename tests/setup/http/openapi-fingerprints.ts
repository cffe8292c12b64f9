// Reduces an OpenAPI document to one short hash for each operation and component, so that a change of the contract is seen and named
// while texts and examples may be edited freely. The order of members means nothing in JSON and is ignored.

import { hash } from 'node:crypto';

/** Texts, values that examples show, and the address that the service has in this run. */
const ignoredKeys = new Set(['example', 'examples', 'x-codeSamples', 'tokenUrl', 'description', 'summary']);

/** A field may be called `description`: only keywords are ignored, never names that a schema or a document declares. */
const nameMaps = new Set([
  'properties',
  'paths',
  'schemas',
  'parameters',
  'headers',
  'responses',
  'securitySchemes',
  'content',
]);

function withoutTexts(value: unknown, isNameMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNameMap || !ignoredKeys.has(key))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, withoutTexts(inner, !isNameMap && nameMaps.has(key))]),
  );
}

type Entries = Readonly<Record<string, unknown>>;

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Entries>>;
  readonly webhooks: Readonly<Record<string, Entries>>;
  readonly components: Readonly<Record<string, Entries>>;
}

export function openApiFingerprints({ paths, webhooks, components }: OpenApiDocument): Record<string, string> {
  const fingerprint = (value: unknown): string => hash('sha256', JSON.stringify(withoutTexts(value))).slice(0, 16);
  const operations = Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, fingerprint(operation)]),
  );
  const parts = Object.entries(components)
    .filter(([kind]) => kind !== 'examples')
    .flatMap(([kind, entries]) =>
      Object.entries(entries).map(([name, entry]) => [`${kind} ${name}`, fingerprint(entry)]),
    );
  return Object.fromEntries([...operations, ...parts].toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)));
}
