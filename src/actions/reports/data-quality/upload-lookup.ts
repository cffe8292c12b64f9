// Finds which historical holding stated what a position held on a day.

import type { Day } from '../../../kit/day.ts';
import type { Id } from '../../../kit/id.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import type { ReportBasis } from '../report-basis.ts';

export class UploadLookup {
  readonly #basis: Pick<ReportBasis, 'history' | 'uploads'>;
  #ids: ReadonlyMap<string, Id> | undefined;

  constructor(basis: Pick<ReportBasis, 'history' | 'uploads'>) {
    this.#basis = basis;
  }

  /**
   * Its own upload, that of the depository its account shares with others, or one that states the instrument elsewhere. Null if no
   * upload of the day lists it.
   */
  find(key: PositionKey | undefined, day: Day): Id | null {
    if (key === undefined) return null;
    const { table } = this.#basis.history;
    const sharedPosition = table.find({ ...key, account: null });
    const elsewhere = (): Id | undefined =>
      table
        .sortedPositions()
        .filter((position) => table.key(position).instrument === key.instrument)
        .map((position) => this.#findAt(position, day))
        .find((id) => id !== undefined);
    return this.#findAt(table.find(key), day) ?? this.#findAt(sharedPosition, day) ?? elsewhere() ?? null;
  }

  #findAt(position: number | undefined, day: Day): Id | undefined {
    this.#ids ??= this.#indexUploads();
    return position === undefined ? undefined : this.#ids.get(`${position} ${day}`);
  }

  #indexUploads(): ReadonlyMap<string, Id> {
    const { history, uploads } = this.#basis;
    const { facts, table } = history;
    return new Map(
      facts.uploads.map((upload, index) => [`${table.uploadedPosition(upload)} ${upload.day}`, uploads[index]!.id]),
    );
  }
}
