// An answer in the form in which it is written to the connection.

import type { Encoding } from '../negotiation/content-encoding.ts';

export interface RenderedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** One `Set-Cookie` header each. */
  readonly cookies?: readonly string[];
  readonly text: string | null;
  /** The code of the problem that it tells, for the log. */
  readonly problemCode?: string;
  /** In place of the text, where it is too long to be held in memory as a whole. The bytes of a chunk may be gone once the next is taken. */
  readonly chunks?: AsyncIterable<string | Uint8Array>;
  /** Whether the caller may get it compressed. Not with a secret beside text that others can choose: its length would tell the secret. */
  readonly isCompressible?: boolean;
  /** The text compressed once and for all. */
  compressed?(encoding: Encoding): Promise<Uint8Array>;
}

/** Collects the text of an answer that may come in pieces; undefined if it is longer than this. */
export async function collectText({ text, chunks }: RenderedResponse, bytesMax: number): Promise<string | undefined> {
  if (chunks === undefined) return text ?? '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > bytesMax) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
