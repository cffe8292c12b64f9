// All pages of the console's developers' part.

import type { WebPath } from '../../web-path.ts';
import { auditPages } from './audit-page.ts';
import { credentialPages } from './credentials-pages.ts';
import { deliveryPages } from './delivery-pages.ts';
import { requestPages } from './request-pages.ts';
import { roundPages } from './round-pages.ts';
import { webhookFormPages } from './webhook-form.ts';
import { webhookPages } from './webhook-pages.ts';

export const developerPages: readonly WebPath[] = [
  ...credentialPages,
  ...webhookFormPages,
  ...webhookPages,
  ...deliveryPages,
  ...auditPages,
  ...requestPages,
  ...roundPages,
];
