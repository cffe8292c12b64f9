// Files that take longer than a browser should wait: the work goes on, its address says how far it is, and has the file when it is ready.
// A node knows only of the files that it makes itself; another one that is asked for the same begins anew.

import { setTimeout as delay } from 'node:timers/promises';
import type { PersonAccess } from '../../../model/access/person-access.ts';
import { InFlight } from '../../http/pipeline/in-flight.ts';

export interface TableFile {
  readonly file: Uint8Array;
  readonly mediaType: string;
  readonly name: string;
}

type Tenant = Pick<PersonAccess, 'workspaceId' | 'environment'>;

/** Tells how many rows were read so far. */
export type NoteRows = (count: number) => void;

/** What there is of a file: itself, or how many rows were read. */
export type FoundFile = { readonly file: TableFile; readonly isNew: boolean } | { readonly rows: number };

interface Work {
  rows: number;
  readonly made: Promise<TableFile>;
  /** None while it is under way. */
  bytes: number | undefined;
}

interface FileWorkOptions {
  /** How long a browser waits for a file. */
  readonly waitMs?: number;
  /** How long a file is kept for whoever asked for it. */
  readonly keptMs?: number;
  /** Of all workspaces; the oldest go first. */
  readonly keptBytesMax?: number;
}

interface FileRequest {
  make(noteRows: NoteRows): Promise<TableFile>;
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

  #begin({ workspaceId }: Tenant, name: string, make: (noteRows: NoteRows) => Promise<TableFile>): Work {
    const turn = this.#turns.enter(workspaceId);
    const inTurn = async (): Promise<TableFile> => {
      await turn;
      try {
        return await make((count) => {
          work.rows = count;
        });
      } finally {
        this.#turns.leave(workspaceId);
      }
    };
    const work: Work = { rows: 0, made: inTurn(), bytes: undefined };
    this.#works.set(name, work);
    const keep = (bytes: number): void => {
      work.bytes = bytes;
      this.#dropOldest();
      setTimeout(() => this.#forget(name, work), this.#keptMs).unref();
    };
    work.made.then(
      ({ file }) => keep(file.byteLength),
      () => keep(0),
    );
    return work;
  }

  #forget(name: string, work: Work): void {
    if (this.#works.get(name) === work) this.#works.delete(name);
  }

  #dropOldest(): void {
    const kept = [...this.#works].filter(([, { bytes }]) => bytes !== undefined);
    let sum = kept.reduce((all, [, { bytes = 0 }]) => all + bytes, 0);
    for (const [name, { bytes = 0 }] of kept) {
      if (sum <= this.#keptBytesMax) return;
      this.#works.delete(name);
      sum -= bytes;
    }
  }
}
