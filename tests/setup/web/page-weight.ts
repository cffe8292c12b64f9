// Opens a page as a browser does, with what it loads, and counts the bytes on the wire.

import { request } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';

interface Loaded {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it came, compressed where it was. */
  readonly bytes: number;
  readonly text: string;
}

const decompress: Readonly<Record<string, (content: Buffer) => Promise<Buffer>>> = {
  br: promisify(brotliDecompress),
  gzip: promisify(gunzip),
  zstd: promisify(zstdDecompress),
};

async function load(url: string, cookie?: string): Promise<Loaded> {
  const headers = {
    accept: 'text/html,*/*;q=0.8',
    'accept-encoding': 'gzip, deflate, br, zstd',
    ...(cookie === undefined ? {} : { cookie }),
  };
  const sent = request(url, { headers });
  sent.end();
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
  });
  const content = Buffer.concat(await response.toArray());
  const expand = decompress[response.headers['content-encoding'] ?? ''];
  const text = (expand === undefined ? content : await expand(content)).toString('utf8');
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: content.length, text };
}

/** Style sheets and scripts, by their address; they are the same for many pages. */
const shared = new Map<string, Promise<Loaded>>();

function loadShared(url: string): Promise<Loaded> {
  const known = shared.get(url) ?? load(url);
  shared.set(url, known);
  return known;
}

export interface WeighedPage extends Loaded {
  /** The bytes of the page with its style sheets and scripts. */
  readonly totalBytes: number;
}

export async function weighPage(url: string, cookie?: string): Promise<WeighedPage> {
  const page = await load(url, cookie);
  const linked = [...page.text.matchAll(/<(?:link rel="stylesheet" href|script type="module" src)="([^"]+)"/g)];
  const parts = await Promise.all(linked.map(([, path = '']) => loadShared(new URL(path, url).href)));
  return { ...page, totalBytes: parts.reduce((sum, { bytes }) => sum + bytes, page.bytes) };
}
