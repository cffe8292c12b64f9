// The records that segments of axes stand for, to check that they exist where nothing is found in them.

import { keysOf } from '../../../kit/keys.ts';
import type { Resource } from '../../../kit/resource.ts';
import { instrument } from '../../../model/instrument/instrument.ts';
import { instrumentClass } from '../../../model/instrument/instrument-class.ts';
import { account } from '../../../model/structure/account.ts';
import { depository } from '../../../model/structure/depository.ts';
import { portfolio } from '../../../model/structure/portfolio.ts';
import type { FilterTarget } from '../../core/filter-targets.ts';
import { residualSegment, type Axis } from './axis.ts';

const resources: Partial<Record<Axis, Resource>> = {
  account,
  depository,
  portfolio,
  instrument,
  class: instrumentClass,
  'detailed-class': instrumentClass,
};

export function segmentTargets(segments: { readonly [Name in Axis]?: string | undefined }): FilterTarget[] {
  return keysOf(segments).flatMap((axis) => {
    const [resource, id] = [resources[axis], segments[axis]];
    return resource === undefined || id === undefined || id === residualSegment ? [] : [{ resource, id }];
  });
}
