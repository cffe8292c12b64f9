// A form with a file: its fields, and its file as a stream that is never in memory as a whole.

import { Refusal } from '../../kit/refusal.ts';
import { multipartBoundary, readMultipart, sliceOf } from '../http/bulk/multipart.ts';
import type { Spool } from '../http/bulk/spool.ts';

/** A file that came with a form. */
export interface SentFile {
  readonly fileName: string | null;
  /** From the beginning each time. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Keeps it beyond the answer, until this has ended. */
  keepFor(work: Promise<unknown>): void;
}

interface FormUpload {
  readonly fields: URLSearchParams;
  /** None if the person chose no file, or an empty one. */
  readonly file: SentFile | undefined;
  /** Ends when nothing needs the file any longer; undefined if that is with the answer. */
  useAfterAnswer(): Promise<unknown> | undefined;
}

/** Refuses a form that could not have a file, before it is received. */
export function requireBoundary(contentType: string | undefined): string {
  const boundary = multipartBoundary(contentType);
  if (boundary !== undefined) return boundary;
  throw new Refusal('unsupported-media-type', 'Send the form with its file as multipart/form-data.');
}

/** The file is there for as long as its spool is. */
export async function readFormUpload(spool: Spool, boundary: string): Promise<FormUpload> {
  const { fields, file } = await readMultipart(spool, boundary);
  const uses: Promise<unknown>[] = [];
  return {
    fields: new URLSearchParams([...fields]),
    file:
      file === undefined || file.end === file.start
        ? undefined
        : {
            fileName: file.fileName,
            chunks: () => sliceOf(spool, file),
            keepFor: (work) => void uses.push(work),
          },
    useAfterAnswer: () => (uses.length === 0 ? undefined : Promise.allSettled(uses)),
  };
}
