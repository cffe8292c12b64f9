// Serves the style sheet of the pages, under an address that changes with its content.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { OpenOperation } from '../http/operation/open-operation.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';

/** Layout and colours first, then the parts of pages. */
const styleSheet = ['base.css', 'parts.css']
  .map((file) => readFileSync(new URL(`./style/${file}`, import.meta.url), 'utf8'))
  .join('\n');

const path = '/console.css';

export const styleAddress = `${path}?v=${hash('sha256', styleSheet, 'base64url').slice(0, 16)}`;

export function isStyleAddress(url: string): boolean {
  return url.split('?', 1)[0] === path;
}

export function renderStyle(): RenderedResponse {
  const headers = {
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  };
  return { status: 200, headers, text: styleSheet };
}

export const styleOperation: OpenOperation = {
  id: 'console.style',
  host: 'base',
  method: 'GET',
  path,
  summary: 'The style sheet of the pages',
  group: 'console',
  responses: { 200: { description: 'The style sheet.', mediaType: 'text/css' } },
  isCompressible: true,
  isAlwaysAnswered: true,
  handle: async () => renderStyle(),
};
