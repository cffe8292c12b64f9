// Files that take longer than a browser should wait: the work goes on, its address says how far it is, and has the file when it is ready.
// A node knows only of the files that it makes itself; another one that is asked for the same begins anew.

import { setTimeout as delay } from 'node:timers/promises';
import type { PersonAccess } from '../../../model/access/person-access.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { InFlight } from '../../http/pipeline/in-flight.ts';

export interface TableFile {
  readonly file: readonly Uint8Array[];
  readonly mediaType: string;
  readonly name: string;
}

type Tenant = Pick<PersonAccess, 'workspaceId' | 'environment'>;

/** Tells how many rows were read so far. */
export type NoteRows = (count: number) => void;

/** How far a file is. */
export interface FileProgress {
  readonly noteRows: NoteRows;
  /** Tells how many bytes were made so far; refuses them while there is no room for them. */
  noteBytes(count: number): void;
}

/** What there is of a file: itself, or how many rows were read. */
export type FoundFile = { readonly file: TableFile; readonly isNew: boolean } | { readonly rows: number };

interface Work {
  rows: number;
  readonly made: Promise<TableFile>;
  bytes: number;
  isMade: boolean;
}

interface FileWorkOptions {
  /** How long a browser waits for a file. */
  readonly waitMs?: number;
  /** How long a file is kept for whoever asked for it. */
  readonly keptMs?: number;
  /** Of all workspaces, with what is being made. The oldest go first; then files that are being made are refused. */
  readonly keptBytesMax?: number;
}

interface FileRequest {
  make(progress: FileProgress): Promise<TableFile>;
  /** Whoever cannot look again waits for all of it. */
  readonly isPatient: boolean;
  /** Whether the file is handed over, not only found to be ready. */
  readonly isTaken: boolean;
}

/** The files of a service that are being made or wait to be taken. */
export class FileWork {
  readonly #waitMs: number;
  readonly #keptMs: number;
  readonly #keptBytesMax: number;
  /** Two files of a workspace are made at the same time; few more wait. */
  readonly #turns = new InFlight({ running: 2, waiting: 8 });
  /** The oldest first. */
  readonly #works = new Map<string, Work>();

  constructor({ waitMs = 2_000, keptMs = 300_000, keptBytesMax = 256 * 1024 * 1024 }: FileWorkOptions = {}) {
    this.#waitMs = waitMs;
    this.#keptMs = keptMs;
    this.#keptBytesMax = keptBytesMax;
  }

  /**
   * Begins a file unless it is there or under way, and waits for it a moment. Throws why it could not be made, once. A file that was handed
   * over is forgotten: whoever asks again gets what there is by then.
   */
  async get(tenant: Tenant, key: string, { make, isPatient, isTaken }: FileRequest): Promise<FoundFile> {
    const name = `${tenant.workspaceId}/${tenant.environment}/${key}`;
    const known = this.#works.get(name);
    const work = known ?? this.#begin(tenant, name, make);
    const abort = new AbortController();
    const wait = isPatient ? [] : [delay(this.#waitMs, undefined, { signal: abort.signal, ref: false })];
    try {
      const file = await Promise.race([work.made, ...wait]);
      if (file === undefined) return { rows: work.rows };
      const isNew = known === undefined;
      if (isNew || isTaken) this.#forget(name, work);
      return { file, isNew };
    } catch (error) {
      this.#forget(name, work);
      throw error;
    } finally {
      abort.abort();
    }
  }

  #begin({ workspaceId }: Tenant, name: string, make: FileRequest['make']): Work {
    const turn = this.#turns.enter(workspaceId);
    const inTurn = async (): Promise<TableFile> => {
      await turn;
      try {
        return await make({
          noteRows(count) {
            work.rows = count;
          },
          noteBytes: (count) => this.#makeRoom(work, count),
        });
      } finally {
        this.#turns.leave(workspaceId);
      }
    };
    const work: Work = { rows: 0, made: inTurn(), bytes: 0, isMade: false };
    this.#works.set(name, work);
    const keep = (bytes: number): void => {
      work.isMade = true;
      work.bytes = bytes;
      this.#dropOldest();
      setTimeout(() => this.#forget(name, work), this.#keptMs).unref();
    };
    work.made.then(
      ({ file }) => keep(file.reduce((sum, piece) => sum + piece.byteLength, 0)),
      () => keep(0),
    );
    return work;
  }

  #forget(name: string, work: Work): void {
    if (this.#works.get(name) === work) this.#works.delete(name);
  }

  #makeRoom(work: Work, bytes: number): void {
    work.bytes = bytes;
    if (this.#dropOldest()) return;
    throw new Refusal('too-many-in-flight', 'Many large files are being made. Try again in a minute.', {
      retryAfterSeconds: 60,
    });
  }

  /** Drops files that are made until there is room; false where there is none even so. */
  #dropOldest(): boolean {
    let sum = [...this.#works.values()].reduce((all, { bytes }) => all + bytes, 0);
    for (const [name, { bytes, isMade }] of this.#works) {
      if (sum <= this.#keptBytesMax) return true;
      if (!isMade) continue;
      this.#works.delete(name);
      sum -= bytes;
    }
    return sum <= this.#keptBytesMax;
  }
}
