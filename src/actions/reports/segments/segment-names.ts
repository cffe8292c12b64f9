// What the segments of axes are called. The names of accounts, depositories and portfolios are read as they are now, for no former
// ones are kept: a report as of an earlier moment has none of them. Knows no figure.

import type { Id } from '../../../kit/id.ts';
import type { AnyRecord, Resource } from '../../../kit/resource.ts';
import { account } from '../../../model/structure/account.ts';
import { depository } from '../../../model/structure/depository.ts';
import { portfolio } from '../../../model/structure/portfolio.ts';
import { findSynthetic } from '../../../engine/ledger/position-key.ts';
import type { Work } from '../../core/work.ts';
import { residualSegment, type Axis } from './axis.ts';
import type { ReportScope } from '../report-basis.ts';

export interface NamedSegment {
  readonly segmentId: string | null;
  readonly segmentName: string | null;
}

const places: Partial<Record<Axis, Resource>> = { account, depository, portfolio };

/** More than any client has. */
const all = 1_000_000;

export class SegmentNames {
  readonly #scope: ReportScope;
  readonly #names: ReadonlyMap<string, string>;

  constructor(scope: ReportScope, names: ReadonlyMap<string, string>) {
    this.#scope = scope;
    this.#names = names;
  }

  tell(axis: Axis, segment: string): NamedSegment {
    if (segment === residualSegment) return { segmentId: null, segmentName: null };
    return { segmentId: segment, segmentName: this.#find(axis, segment) ?? null };
  }

  #find(axis: Axis, segment: string): string | undefined {
    switch (axis) {
      case 'instrument':
        return this.#instrument(segment);
      case 'class':
      case 'detailed-class':
        return this.#scope.classes.path(segment).at(-1)?.name;
      case 'currency':
        return segment;
      default:
        return this.#names.get(segment);
    }
  }

  #instrument(id: string): string {
    const synthetic = findSynthetic(id);
    if (synthetic === undefined) return this.#scope.instruments.get(id)?.instrument.name ?? 'Unidentified';
    return `${synthetic.kind === 'cash' ? 'Cash' : 'Fees owed'} ${synthetic.currency}`;
  }
}

export async function readSegmentNames(
  { store }: Work,
  scope: ReportScope,
  axes: readonly Axis[],
): Promise<SegmentNames> {
  const resources = scope.knownAt === undefined ? axes.flatMap((axis) => places[axis] ?? []) : [];
  const lists = resources.map((resource) =>
    store.table(resource).list({ where: { client: scope.client }, limit: all }),
  );
  const named = (await Promise.all(lists)).flat().map((one: AnyRecord) => [one.id, one['name'] as string] as const);
  return new SegmentNames(scope, new Map<Id, string>(named));
}
