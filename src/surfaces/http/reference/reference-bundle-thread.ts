// Requests the viewer's script from its plugin, as a browser would, and posts it to the parent thread.

import { parentPort } from 'node:worker_threads';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { defined } from '../../../kit/assert.ts';

const app = fastify();
await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
const { statusCode, body } = await app.inject('/docs/js/scalar.js');
if (statusCode !== 200) throw new Error(`The script of the API reference could not be loaded: status ${statusCode}.`);
await app.close();
// Removes the link to the source map, which is not served.
defined(parentPort, 'this file runs in a worker thread').postMessage(
  body.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'),
  [],
);
