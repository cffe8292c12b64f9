// Serves the dashboard on this machine: the page, built when it starts, and access tokens that can only read.
//
//   PORT=3001 node examples/dashboard/serve.ts

import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { connect } from '../connect.ts';

const port = Number(process.env['PORT'] ?? 3001);
const holdfast = connect('dashboard', 'read');

interface Content {
  readonly type: string;
  readonly body: string | Uint8Array;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Builds the page in memory, as `vite build` would in a folder. */
async function buildPage(): Promise<ReadonlyMap<string, Content>> {
  const root = fileURLToPath(new URL('.', import.meta.url));
  const built = await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'es2024', modulePreload: false },
  });
  const files = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return new Map(
    files.map((file) => {
      const body = file.type === 'chunk' ? file.code : file.source;
      const type = types[file.fileName.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      return [file.fileName === 'index.html' ? '/' : `/${file.fileName}`, { type, body }];
    }),
  );
}

const files = await buildPage();

async function contentAt(path: string): Promise<Content | undefined> {
  if (path !== '/token') return files.get(path);
  const access = { url: holdfast.url, token: await holdfast.accessToken() };
  return { type: 'application/json', body: JSON.stringify(access) };
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  `connect-src 'self' ${holdfast.url}`,
];
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': policy.join('; '),
  'x-content-type-options': 'nosniff',
};
const server = createServer((request, response) => {
  // Only under its own name: another site could lead its visitors here by a name that it controls.
  const isOwnHost = [`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? '');
  const content = isOwnHost ? contentAt(request.url ?? '/') : Promise.resolve(undefined);
  content.then(
    (found) => {
      if (found === undefined) response.writeHead(404).end();
      else response.writeHead(200, { ...headers, 'content-type': found.type }).end(found.body);
    },
    (error: unknown) => {
      console.error(String(error));
      response.writeHead(500).end();
    },
  );
});
server.listen(port, '127.0.0.1', () => console.log(`Open http://127.0.0.1:${port}/`));
