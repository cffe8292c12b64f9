// Which historical holding stated what a position held on a day. Knows no value.

import type { Day } from '../../../kit/day.ts';
import type { Id } from '../../../kit/id.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import type { ReportScope } from '../report-basis.ts';

export class UploadIds {
  readonly #scope: Pick<ReportScope, 'history' | 'uploads'>;
  #ids: ReadonlyMap<string, Id> | undefined;

  constructor(scope: Pick<ReportScope, 'history' | 'uploads'>) {
    this.#scope = scope;
  }

  /** Its own, or that of the depository which its account shares with others. Null where no upload of the day lists it. */
  find(key: PositionKey | undefined, day: Day): Id | null {
    if (key === undefined) return null;
    const { table } = this.#scope.history;
    const shared = table.find({ ...key, account: null });
    return this.#of(table.find(key), day) ?? this.#of(shared, day) ?? null;
  }

  #of(position: number | undefined, day: Day): Id | undefined {
    this.#ids ??= this.#gather();
    return position === undefined ? undefined : this.#ids.get(`${position} ${day}`);
  }

  #gather(): ReadonlyMap<string, Id> {
    const { history, uploads } = this.#scope;
    const { facts, table } = history;
    return new Map(
      facts.uploads.map((upload, index) => [`${table.uploaded(upload)} ${upload.day}`, uploads[index]!.id]),
    );
  }
}
