// Asks the reference's own plugin for its script, as a browser would, and hands it to the thread that wants it.

import { parentPort } from 'node:worker_threads';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

const app = fastify();
await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
const { statusCode, body } = await app.inject('/docs/js/scalar.js');
if (statusCode !== 200) throw new Error(`The API reference's script was answered with ${statusCode}.`);
await app.close();
// The source map is not shipped, so nobody should be sent to look for it.
parentPort!.postMessage(body.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'), []);
