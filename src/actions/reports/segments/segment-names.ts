// Names the segments of axes. Accounts, depositories and portfolios keep no former names, so that names can be erased: a report as of
// an earlier moment shows their present ones, and none of those deleted since.

import type { Id } from '../../../kit/id.ts';
import type { AnyRecord, Resource } from '../../../kit/resource.ts';
import { account } from '../../../model/structure/account.ts';
import { depository } from '../../../model/structure/depository.ts';
import { portfolio } from '../../../model/structure/portfolio.ts';
import { findBuiltInInstrument } from '../../../model/instrument/built-in.ts';
import type { Work } from '../../core/work.ts';
import { residualSegment, type Axis } from './axis.ts';
import type { ReportBasis } from '../report-basis.ts';

interface NamedSegment {
  readonly segmentId: string | null;
  readonly segmentName: string | null;
}

const placeResources: Partial<Record<Axis, Resource>> = { account, depository, portfolio };

/** More records than any client has. */
const rowsMax = 1_000_000;

export class SegmentNames {
  readonly #basis: ReportBasis;
  readonly #names: ReadonlyMap<string, string>;

  constructor(basis: ReportBasis, names: ReadonlyMap<string, string>) {
    this.#basis = basis;
    this.#names = names;
  }

  nameSegment(axis: Axis, segment: string): NamedSegment {
    if (segment === residualSegment) return { segmentId: null, segmentName: null };
    return { segmentId: segment, segmentName: this.#findName(axis, segment) ?? null };
  }

  #findName(axis: Axis, segment: string): string | undefined {
    switch (axis) {
      case 'instrument':
        return this.#instrumentName(segment);
      case 'class':
      case 'detailed-class':
        return this.#basis.classes.path(segment).at(-1)?.name;
      case 'currency':
        return segment;
      default:
        return this.#names.get(segment);
    }
  }

  #instrumentName(id: string): string | undefined {
    return (this.#basis.instruments.get(id)?.instrument ?? findBuiltInInstrument(id))?.name;
  }
}

export async function readSegmentNames(
  { store }: Work,
  basis: ReportBasis,
  axes: readonly Axis[],
): Promise<SegmentNames> {
  const resources = axes.flatMap((axis) => placeResources[axis] ?? []);
  const lists = resources.map((resource) =>
    store.table(resource).list({ where: { client: basis.client }, limit: rowsMax }),
  );
  const namesById = (await Promise.all(lists)).flat().map((one: AnyRecord) => [one.id, one['name'] as string] as const);
  return new SegmentNames(basis, new Map<Id, string>(namesById));
}
