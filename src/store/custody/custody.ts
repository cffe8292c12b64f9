// What is stored about auth flows, authorities, feeds and statements besides their records.

import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { AuthFlowRows } from './auth-flow-rows.ts';
import { AuthorityEnds } from './authority-ends.ts';
import { AuthorityLinks } from './authority-links.ts';
import { ConsentAccounts } from './consent-accounts.ts';
import { FormerAddresses } from './former-addresses.ts';
import { FeedRunRows } from '../feeds/feed-run-rows.ts';
import { FeedQueue } from '../queues/feed-queue.ts';
import { SealedValues } from './sealed-values.ts';
import { StatedHoldings } from './stated-holdings.ts';

export class Custody {
  readonly flows: AuthFlowRows;
  /** What authorities cover. */
  readonly links: AuthorityLinks;
  /** What consents are for, and the rows that wait for it. */
  readonly consentAccounts: ConsentAccounts;
  /** Authorities that near their end. */
  readonly ends: AuthorityEnds;
  readonly sealed: SealedValues;
  readonly formerAddresses: FormerAddresses;
  /** The queue of feed runs. */
  readonly feeds: FeedQueue;
  /** What runs of feeds show besides their own columns. */
  readonly feedRuns: FeedRunRows;
  /** What custodians say is held. */
  readonly statedHoldings: StatedHoldings;

  constructor(scope: Scope, run: Run) {
    this.flows = new AuthFlowRows(scope, run);
    this.links = new AuthorityLinks(scope, run);
    this.consentAccounts = new ConsentAccounts(scope, run);
    this.ends = new AuthorityEnds(scope, run);
    this.sealed = new SealedValues(scope, run);
    this.formerAddresses = new FormerAddresses(scope, run);
    this.feeds = new FeedQueue(scope, run);
    this.feedRuns = new FeedRunRows(scope, run);
    this.statedHoldings = new StatedHoldings(scope, run);
  }
}
