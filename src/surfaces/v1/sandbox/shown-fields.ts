// The fields that v1 shows of the clients of the sandbox, and reads of requests to it.

import { newSandboxClient, sandboxAdvance, sandboxClient } from '../../../model/sandbox/sandbox-client.ts';
import { showAll } from '../../http/operation/shown-fields.ts';

export const sandboxFields = [showAll(sandboxClient), showAll(newSandboxClient), showAll(sandboxAdvance)];
