// Undoes what an import did to prices and exchange rates: closes new values, restores changed ones, and keeps those changed since.

import { append } from '../../kit/memory/long-list.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import { fxRate } from '../../model/instrument/fx-rate.ts';
import type { Instrument } from '../../model/instrument/instrument.ts';
import { seriesPoints } from '../../model/instrument/series-point.ts';
import type { RowUndo } from '../../model/custody/import-row.ts';
import type { StoredImportRow } from '../../store/imports/import-rows.ts';
import { lockRates, putRates, recordRateImport } from '../instruments/fx-rate.ts';
import { lockSeries, putPoints, recordPointImport, type SeriesResource } from '../instruments/series-point.ts';
import type { Work } from '../core/work.ts';

interface PointToUndo {
  readonly row: StoredImportRow;
  readonly id: Id;
  /** What the import wrote, and what it replaced. */
  readonly written: string;
  readonly before: Decimal | null;
}

interface PresentPoint {
  readonly id: Id;
  readonly value: string;
}

type Undone = { row: StoredImportRow; undo: RowUndo };

function pointsOf(rows: readonly StoredImportRow[], type: string): PointToUndo[] {
  return rows.flatMap((row) => {
    const { stated, target, before } = row;
    if (target?.type !== type || target.id === null) return [];
    const written = stated.item === 'price' ? stated.value : stated.item === 'fx-rate' ? stated.rate : '';
    const replaced: { readonly value: Decimal } | null = JSON.parse(before ?? 'null');
    return [{ row, id: target.id, written, before: replaced?.value ?? null }];
  });
}

/**
 * Of several rows about one value, the last said what counts; the first replaced what was there before. `kept` has the values of later rows that
 * were kept: those of earlier rows are then not what is there, even if they look like it.
 */
function planUndo(points: readonly PointToUndo[], present: ReadonlyMap<Id, PresentPoint>, kept: Set<Id>) {
  const groups = Map.groupBy(points, ({ id }) => id);
  const closed: Id[] = [];
  const restored: { readonly id: Id; readonly value: Decimal }[] = [];
  const undone = [...groups].flatMap(([id, group]): Undone[] => {
    const [first, last] = [group[0], group.at(-1)];
    const isOwn = !kept.has(id) && (present.get(id) === undefined || present.get(id)?.value === last?.written);
    const undo: RowUndo = !isOwn ? 'kept' : first?.before == null ? 'closed' : 'restored';
    if (undo === 'kept') kept.add(id);
    if (undo === 'closed' && present.has(id)) closed.push(id);
    if (undo === 'restored' && first?.before != null) restored.push({ id, value: first.before });
    return group.map(({ row }) => ({ row, undo }));
  });
  return { closed, restored, undone };
}

export class PointUndo {
  readonly #work: Work;
  #rateCount = 0;
  readonly #kept = new Set<Id>();
  readonly #series = new Map<string, { resource: SeriesResource; target: Instrument; count: number }>();

  constructor(work: Work) {
    this.#work = work;
  }

  /** Takes rows in the order of the file, but the batches of a file from the last to the first. */
  async undo(rows: readonly StoredImportRow[]): Promise<Undone[]> {
    const undone = await this.#undoRates(pointsOf(rows, fxRate.type));
    for (const resource of seriesPoints)
      append(undone, await this.#undoSeries(resource, pointsOf(rows, resource.type)));
    return undone;
  }

  async #undoRates(points: readonly PointToUndo[]): Promise<Undone[]> {
    if (points.length === 0) return [];
    const { store, now } = this.#work;
    await lockRates(this.#work);
    const records = await store.table(fxRate).lockReferencedRecords([...new Set(points.map(({ id }) => id))]);
    const byId = new Map(records.map((record) => [record.id, record]));
    const plan = planUndo(points, new Map(records.map(({ id, rate }) => [id, { id, value: rate }])), this.#kept);
    await store.versionedTable(fxRate).closeAll(plan.closed, now);
    const rates = plan.restored.flatMap(({ id, value }) => {
      const record = byId.get(id);
      return record === undefined ? [] : [{ ...record, rate: value }];
    });
    if (rates.length > 0) await putRates(this.#work, rates);
    this.#rateCount += plan.closed.length + rates.length;
    return plan.undone;
  }

  async #undoSeries(resource: SeriesResource, points: readonly PointToUndo[]): Promise<Undone[]> {
    if (points.length === 0) return [];
    const { store, now } = this.#work;
    const table = store.table(resource);
    const ids = [...new Set(points.map(({ id }) => id))];
    const seen = await table.lockReferencedRecords(ids);
    for (const instrument of [...new Set(seen.map((one) => one.instrument))].toSorted())
      await this.#open(resource, instrument);
    const records = await table.lockReferencedRecords(ids);
    const byId = new Map(records.map((record) => [record.id, record]));
    const plan = planUndo(points, new Map(records.map(({ id, value }) => [id, { id, value }])), this.#kept);
    await store.versionedTable(resource).closeAll(plan.closed, now);
    for (const { id, value } of plan.restored) {
      const record = byId.get(id);
      if (record === undefined) continue;
      const series = await this.#open(resource, record.instrument);
      const point = { date: record.date, value, source: record.source };
      series.count += await putPoints(this.#work, resource, series.target, [point]);
    }
    for (const id of plan.closed) {
      const record = byId.get(id);
      if (record !== undefined) (await this.#open(resource, record.instrument)).count++;
    }
    return plan.undone;
  }

  async #open(resource: SeriesResource, instrument: Id) {
    const key = `${resource.type} ${instrument}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { resource, target: await lockSeries(this.#work, resource, instrument), count: 0 };
      this.#series.set(key, series);
    }
    return series;
  }

  /** Writes versions, dirty flags and audit lines, once for each series and for all rates. */
  finish(): void {
    recordRateImport(this.#work, { accepted: this.#rateCount, written: this.#rateCount });
    for (const { resource, target, count } of this.#series.values()) {
      recordPointImport(this.#work, resource, target, { accepted: count, written: count });
    }
  }
}
