// The measured work over HTTP: one long list, a walk over pages, and accounts created concurrently.

import http from 'node:http';
import type { NewAccount } from './plain-sql.ts';

export interface BenchCaller {
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: http.Agent;
}

export interface PostBody {
  readonly mediaType: string;
  readonly text: string;
}

/** Returns the body of the answer. Throws unless the status is 200, or 201 for a POST. */
export function send(url: string, { headers, agent }: BenchCaller, post?: PostBody): Promise<Buffer> {
  const wanted = post === undefined ? 200 : 201;
  const length = post && { 'content-type': post.mediaType, 'content-length': Buffer.byteLength(post.text) };
  return new Promise((resolve, reject) => {
    const options = { agent, method: post === undefined ? 'GET' : 'POST', headers: { ...headers, ...length } };
    const request = http.request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject);
      response.once('end', () => {
        const body = Buffer.concat(chunks);
        if (response.statusCode === wanted) resolve(body);
        else reject(new Error(`${url} answered ${response.statusCode}: ${body.toString('utf8', 0, 1_000)}`));
      });
    });
    request.once('error', reject).end(post?.text);
  });
}

const cursorForm = /"next_cursor":"([^"]+)"\}$/;
/** Longer than any cursor. */
const tailBytes = 2_000;

/** Fetches every page of a list, one after the other. */
export async function walkPages(url: string, caller: BenchCaller): Promise<Buffer[]> {
  const pages: Buffer[] = [];
  let cursor: string | undefined;
  do {
    const page = await send(cursor === undefined ? url : `${url}&cursor=${cursor}`, caller);
    pages.push(page);
    cursor = cursorForm.exec(page.toString('utf8', Math.max(0, page.length - tailBytes)))?.[1];
  } while (cursor !== undefined);
  return pages;
}

/** Runs a number of tasks with a number of concurrent callers. */
export async function runConcurrently(
  { count, callers }: { count: number; callers: number },
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

export function sampleAccount(index: number): NewAccount {
  return {
    name: `Current account ${index}`,
    external_identifier: `CH93${String(index).padStart(17, '0')}`,
    currency: 'CHF',
  };
}

/** The same account as a v1 body and as a JSON:API document. */
export function v1Account(index: number, legalEntityId: string): PostBody {
  const text = JSON.stringify({ ...sampleAccount(index), entity_id: legalEntityId });
  return { mediaType: 'application/json', text };
}

export function jsonApiAccount(index: number): PostBody {
  const { name, external_identifier: externalIdentifier, currency: ccyCode } = sampleAccount(index);
  const text = JSON.stringify({ data: { type: 'account', attributes: { name, externalIdentifier, ccyCode } } });
  return { mediaType: 'application/vnd.api+json', text };
}
