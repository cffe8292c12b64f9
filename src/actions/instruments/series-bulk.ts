// Writes points of many instruments in one unit of work, batch by batch, each for the instrument that it names by id or by codes.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { NamedInstrument } from '../../model/custody/statement.ts';
import { isBuiltInId } from '../../model/instrument/built-in-id.ts';
import { instrument, type Instrument } from '../../model/instrument/instrument.ts';
import { flagHoldersOfAll } from '../../store/queues/dirty-flags.ts';
import { lockSeriesOwners } from '../../store/series/series-owners.ts';
import { auditBulk } from '../core/dated-value.ts';
import { notFound } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { idOrRefusal, sentInstrument } from '../imports/names/name-refusal.ts';
import { resolveInstruments } from '../imports/names/resolve-names.ts';
import { checkSeriesAccess, lockSeriesOwner, type SeriesPointInput, type SeriesResource } from './series-point.ts';

/** A point, and the instrument that it is for: by id, by codes, or by both. */
export interface NamedPoint extends SeriesPointInput {
  readonly instrument?: Id;
  readonly named?: NamedInstrument;
}

interface BatchResult {
  /** Awaited before `finish`. */
  readonly counts: Promise<{ readonly written: number }>;
  readonly refused: readonly { readonly place: number; readonly refusal: Refusal }[];
}

interface Tally {
  readonly owner: Pick<Instrument, 'id' | 'client'>;
  accepted: number;
  written: number;
}

export class SeriesBulk {
  readonly #work: Work;
  readonly #resource: SeriesResource;
  /** The instruments that were locked, or why their series cannot be written. */
  readonly #locked = new Map<Id, Instrument | Refusal>();
  readonly #tallies = new Map<Id, Tally>();

  constructor(work: Work, resource: SeriesResource) {
    this.#work = work;
    this.#resource = resource;
  }

  /** Returns once the points are on their way to the database: the next ones can be prepared meanwhile. */
  async write(points: readonly NamedPoint[]): Promise<BatchResult> {
    const owners = await this.#ownersOf(points);
    const refused: { place: number; refusal: Refusal }[] = [];
    const accepted: { point: NamedPoint; owner: Instrument }[] = [];
    for (const [place, point] of points.entries()) {
      const owner = defined(owners[place], 'there is an owner or a refusal for each point');
      if (owner instanceof Refusal) refused.push({ place, refusal: owner });
      else accepted.push({ point, owner });
    }
    return { counts: this.#put(accepted).then((written) => ({ written })), refused };
  }

  /** Returns what would be refused. Writes nothing. */
  async check(points: readonly NamedPoint[]): Promise<BatchResult> {
    const owners = await this.#ownersOf(points);
    const refused = owners.flatMap((owner, place) => (owner instanceof Refusal ? [{ place, refusal: owner }] : []));
    return { counts: Promise.resolve({ written: 0 }), refused };
  }

  async #ownersOf(points: readonly NamedPoint[]): Promise<readonly (Instrument | Refusal)[]> {
    const ids = await this.#resolve(points);
    await this.#lock(ids.flatMap((id) => (id instanceof Refusal ? [] : [id])));
    return ids.map((id) =>
      id instanceof Refusal ? id : defined(this.#locked.get(id), 'every named instrument was locked'),
    );
  }

  async #resolve(points: readonly NamedPoint[]): Promise<readonly (Id | Refusal)[]> {
    const named = points.flatMap((point) => point.named ?? []);
    const found = (await resolveInstruments(this.#work, { client: null, custodian: null }, named)).values();
    return points.map(({ instrument: sentId, named: name }) => {
      if (name === undefined) return defined(sentId, 'a point without codes has the id of its instrument');
      const resolution = defined(found.next().value, 'every name is resolved');
      return idOrRefusal(resolution, sentInstrument(name), sentId);
    });
  }

  /** Instruments that the service provides are locked one by one: there are few. */
  async #lock(ids: readonly Id[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.#locked.has(id));
    if (unknown.length === 0) return;
    const { store } = this.#work;
    const stored = unknown.filter((id) => !isBuiltInId(id));
    await lockSeriesOwners(store, stored);
    const found = await store.table(instrument).lockReferencedRecords(stored);
    const records = new Map(found.map((one) => [one.id, one]));
    for (const id of unknown) this.#locked.set(id, await this.#writableOwner(id, records.get(id)));
  }

  async #writableOwner(id: Id, found: Instrument | undefined): Promise<Instrument | Refusal> {
    try {
      const owner = found ?? (isBuiltInId(id) ? await lockSeriesOwner(this.#work, id) : undefined);
      if (owner === undefined) throw notFound(instrument, { field: 'instrument' });
      checkSeriesAccess(this.#work, this.#resource, owner);
      return owner;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  async #put(points: readonly { readonly point: NamedPoint; readonly owner: Instrument }[]): Promise<number> {
    if (points.length === 0) return 0;
    const { store, ids, now } = this.#work;
    // One series after the other, as they lie in the index: the database finds the place of a row faster beside that of the row before.
    const series = Map.groupBy(points, ({ owner }) => owner);
    const accepted = [...series.values()].flat();
    const unopened = [...series.keys()].filter(({ id }) => !this.#tallies.has(id));
    if (unopened.length > 0) store.seriesVersions.openAll(unopened);
    for (const [owner, { length }] of series) this.#tally(owner).accepted += length;
    const columns = {
      instrument: accepted.map(({ owner }) => owner.id),
      client: accepted.map(({ owner }) => owner.client),
      date: accepted.map(({ point }) => point.date),
      source: accepted.map(({ point }) => point.source ?? 'manual'),
      value: accepted.map(({ point }) => point.value),
    };
    const batch = { ids: accepted.map(() => ids.next()), common: {}, columns };
    const counts = await store.versionedTable(this.#resource).putCounting(batch, now, 'instrument');
    let written = 0;
    for (const owner of series.keys()) {
      const count = counts.get(owner.id) ?? 0;
      this.#tally(owner).written += count;
      written += count;
    }
    return written;
  }

  #tally({ id, client }: Instrument): Tally {
    let tally = this.#tallies.get(id);
    if (tally === undefined) this.#tallies.set(id, (tally = { owner: { id, client }, accepted: 0, written: 0 }));
    return tally;
  }

  /** Writes new versions and dirty flags of all series that changed, and one audit entry for each client and for what all share. */
  finish(): void {
    const { store, now, ids } = this.#work;
    const changed = [...this.#tallies.values()].filter(({ written }) => written > 0);
    if (changed.length === 0) return;
    const owners = changed.map(({ owner }) => owner).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    store.seriesVersions.incrementVersions(owners);
    flagHoldersOfAll(store, owners, { cause: 'series', now });
    for (const [clientId, tallies] of Map.groupBy(changed, ({ owner }) => owner.client)) {
      const sum = (count: 'accepted' | 'written'): number => tallies.reduce((total, one) => total + one[count], 0);
      const counts = { accepted: sum('accepted'), written: sum('written'), instruments: tallies.length };
      auditBulk(
        this.#work,
        { type: this.#resource.type, id: ids.next(), clientId },
        { [this.#resource.plural]: counts },
      );
    }
  }
}
