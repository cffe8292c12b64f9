// Serves the islands: small scripts in TypeScript for pages that also work without them. Node strips their types when the first page is
// asked for, unless that was done when the image was made; no bundler.

import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { defined } from '../../kit/assert.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { OpenOperation } from '../http/operation/open-operation.ts';

const folder = new URL('./islands/', import.meta.url);

interface Island {
  readonly address: string;
  readonly script: string;
}

/** Without the warning that this function of Node may change, which would stand between the lines of the log. */
function stripTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function readIsland(file: string): [string, Island] {
  const name = file.replace(/\.[jt]s$/, '');
  const source = readFileSync(new URL(file, folder), 'utf8');
  const script = file.endsWith('.ts') ? stripTypes(source) : source;
  const version = hash('sha256', script, 'base64url').slice(0, 16);
  return [name, { script, address: `/islands/${name}?v=${version}` }];
}

function listFiles(): string[] {
  return readdirSync(folder)
    .filter((file) => /\.[jt]s$/.test(file))
    .toSorted();
}

let readIslands: ReadonlyMap<string, Island> | undefined;

/** Not read at start: what strips types takes a tenth of a second to load, which commands and threads never need. */
function islands(): ReadonlyMap<string, Island> {
  return (readIslands ??= new Map(listFiles().map(readIsland)));
}

export function islandAddress(name: string): string {
  return defined(islands().get(name), 'a page names islands that exist').address;
}

export const islandOperation: OpenOperation = {
  id: 'console.island',
  host: 'base',
  method: 'GET',
  path: '/islands/{name}',
  summary: 'A script of the pages',
  group: 'console',
  responses: { 200: { description: 'The script.', mediaType: 'text/javascript' } },
  isCompressible: true,
  async handle({ params }) {
    const island = islands().get(params['name'] ?? '');
    if (island === undefined) throw new Refusal('path-not-found', 'There is no such script.');
    return {
      status: 200,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      },
      text: island.script,
    };
  },
};
