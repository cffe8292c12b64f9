// Makes request bodies: JSON, rows as a stream of JSON lines, and files. Knows which of them can be sent a second time.

/** Rows of a bulk call. An array, or a function that starts them again, can be sent again after a failure; an iterator cannot. */
export type Rows<T> =
  | Iterable<T>
  | AsyncIterable<T>
  | (() => Iterable<T> | AsyncIterable<T>)
  | { readonly csv: FileContent }
  | { readonly ndjson: FileContent };

type Bytes = Uint8Array<ArrayBuffer>;

type Pieces = AsyncIterable<string | Uint8Array>;

/** The content of a file. A stream can be sent once; everything else, and a function that starts a stream, again after a failure. */
export type FileContent = string | Uint8Array | Blob | Pieces | (() => Pieces);

export interface RequestBody {
  readonly mediaType: string;
  /** Whether it can be opened more than once. */
  readonly isRepeatable: boolean;
  open(): Pieces | string | Bytes | Blob | Promise<string>;
}

export function jsonBody(value: unknown): RequestBody {
  const text = JSON.stringify(value);
  return { mediaType: 'application/json', isRepeatable: true, open: () => text };
}

export function fileBody(content: FileContent, mediaType = 'application/octet-stream'): RequestBody {
  if (content instanceof Uint8Array) return fileBody(new Blob([new Uint8Array(content)]), mediaType);
  if (typeof content === 'function') return { mediaType, isRepeatable: true, open: content };
  const isRepeatable = typeof content === 'string' || content instanceof Blob;
  return { mediaType, isRepeatable, open: () => content };
}

export function rowsBody(rows: Rows<unknown>): RequestBody {
  if (typeof rows === 'object' && 'csv' in rows) return fileBody(rows.csv, 'text/csv');
  const mediaType = 'application/x-ndjson';
  if (typeof rows === 'object' && 'ndjson' in rows) return fileBody(rows.ndjson, mediaType);
  if (typeof rows === 'function') return { mediaType, isRepeatable: true, open: () => jsonLines(rows()) };
  const isRepeatable = Symbol.iterator in rows && !('next' in rows);
  return { mediaType, isRepeatable, open: () => jsonLines(rows) };
}

/** In characters: rows are put together, since each piece costs a write. */
const pieceLength = 64 * 1024;

async function* jsonLines(rows: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
  let piece = '';
  for await (const row of rows) {
    piece += `${JSON.stringify(row)}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Pages and their workers cannot stream a request over HTTP/1.1; they may also not name themselves. */
export const isBrowser = 'document' in globalThis || 'importScripts' in globalThis;

const encoder = new TextEncoder();

interface FetchBody {
  readonly body: string | Bytes | Blob | ReadableStream<Uint8Array>;
  readonly duplex?: 'half';
}

/** The body as `fetch` takes it: a stream where the runtime can send one, else collected first. */
export async function fetchBody(body: RequestBody): Promise<FetchBody> {
  const opened = await body.open();
  if (typeof opened === 'string' || opened instanceof Blob || opened instanceof Uint8Array) return { body: opened };
  if (isBrowser) return { body: await collect(opened) };
  return { body: toStream(opened), duplex: 'half' };
}

async function collect(pieces: Pieces): Promise<Blob> {
  const parts: (string | Bytes)[] = [];
  for await (const piece of pieces) parts.push(typeof piece === 'string' ? piece : new Uint8Array(piece));
  return new Blob(parts);
}

function toStream(pieces: Pieces): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
