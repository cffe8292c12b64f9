// All declared resources, by type.

import type { Resource } from '../kit/resource.ts';
import { auditEntry } from './audit-entry.ts';
import { client } from './client.ts';
import { application, key } from './credential.ts';

export const resources: readonly Resource[] = [client, application, key, auditEntry];
