// Serves the dashboard on this machine: the page, its script and the SDK, and access tokens that can only read.
//
//   PORT=3001 node examples/dashboard/serve.ts

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { connect } from '../connect.ts';

const port = Number(process.env['PORT'] ?? 3001);
const holdfast = connect('dashboard', 'read');
const sdk = new URL('.', import.meta.resolve('@holdfast/sdk'));
const page = await readFile(new URL('index.html', import.meta.url), 'utf8');

interface Content {
  readonly type: string;
  readonly body: string;
}

/** A script without its types, as browsers take it. A site of your own has a bundler for this. */
async function script(file: URL): Promise<Content> {
  return { type: 'text/javascript', body: stripTypeScriptTypes(await readFile(file, 'utf8')) };
}

async function contentAt(path: string): Promise<Content | undefined> {
  if (path === '/token') {
    const access = { url: holdfast.url, token: await holdfast.accessToken() };
    return { type: 'application/json', body: JSON.stringify(access) };
  }
  if (path === '/') return { type: 'text/html; charset=utf-8', body: page };
  if (path === '/dashboard.ts') return script(new URL('dashboard.ts', import.meta.url));
  const [, name] = /^\/sdk\/((?:generated\/)?[a-z-]+\.ts)$/.exec(path) ?? [];
  return name === undefined ? undefined : script(new URL(name, sdk));
}

/** The only script within the page is the one that says where the SDK is. */
const importMap = /<script type="importmap">(.*?)<\/script>/s.exec(page)?.[1] ?? '';
const importMapHash = createHash('sha256').update(importMap).digest('base64');
const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${importMapHash}'`,
  "style-src 'unsafe-inline'",
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
