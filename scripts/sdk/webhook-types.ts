// Writes the types of what is sent to webhooks: a body for each type of event, in both schemes.

import { defined } from '../../src/kit/assert.ts';
import type { OpenApiDocument } from '../../src/surfaces/http/openapi/openapi-document.ts';
import { commentText, typeText, type ReferenceListener, type Schema } from './schema-types.ts';

interface DescribedWebhook {
  readonly description: string;
  /** The bodies of the schemes `hmac` and `standard`, in this order. */
  readonly bodies: readonly Schema[];
}

function describedWebhooks(document: OpenApiDocument): readonly (readonly [type: string, DescribedWebhook])[] {
  return Object.entries<any>(document['webhooks'] ?? {}).map(([type, { post }]) => [
    type,
    { description: post.description, bodies: post.requestBody.content['application/json'].schema.anyOf },
  ]);
}

export function webhookTypesText(document: OpenApiDocument, origin: string, onReference: ReferenceListener): string {
  const webhooks = describedWebhooks(document);
  const bodies = (index: number): string =>
    webhooks
      .map(([type, { description, bodies: of }]) => {
        const body = defined(of[index], `${type} has a body in each scheme`);
        return `${commentText(description, '  ')}  readonly ${JSON.stringify(type)}: ${typeText(body, { onReference, prefix: 'S.' }, '  ')};\n`;
      })
      .join('');
  return `// What is sent to webhooks. ${origin}

import type * as S from './schemas.ts';

/** The bodies of the scheme \`hmac\`, by type of event. */
export interface ServiceEvents {
${bodies(0)}}

/** An event as the scheme \`hmac\` sends it; \`type\` tells which. */
export type ServiceEvent = ServiceEvents[keyof ServiceEvents];

/** The bodies of the scheme \`standard\`, by type of event. */
export interface StandardEvents {
${bodies(1)}}

/** An event as the scheme \`standard\` sends it; \`type\` tells which. */
export type StandardEvent = StandardEvents[keyof StandardEvents];
`;
}
