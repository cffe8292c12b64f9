// What is stored about auth flows and authorities besides their records.

import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { AuthFlowRows } from './auth-flow-rows.ts';
import { AuthorityEnds } from './authority-ends.ts';
import { AuthorityLinks } from './authority-links.ts';
import { SealedValues } from './sealed-values.ts';

export class Custody {
  readonly flows: AuthFlowRows;
  /** What authorities cover. */
  readonly links: AuthorityLinks;
  /** Authorities that near their end. */
  readonly ends: AuthorityEnds;
  readonly sealed: SealedValues;

  constructor(scope: Scope, run: Run) {
    this.flows = new AuthFlowRows(scope, run);
    this.links = new AuthorityLinks(scope, run);
    this.ends = new AuthorityEnds(scope, run);
    this.sealed = new SealedValues(scope, run);
  }
}
