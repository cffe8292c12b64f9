// The breaks of clients within one scope, as rounds find them: those found are opened, refreshed or reopened, the others are closed.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import type { breakAspects, breakClasses } from '../../model/custody/reconciliation-break.ts';
import type { NamedInstrument } from '../../model/custody/statement.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { countIn, sql } from '../postgres/statement.ts';

/** A break as a round finds it. */
export interface FoundBreak {
  readonly account: string | null;
  readonly depository: string | null;
  readonly aspect: (typeof breakAspects)[number];
  readonly subject: string;
  readonly instrument: string | null;
  readonly named: NamedInstrument | null;
  readonly currency: string | null;
  readonly class: (typeof breakClasses)[number];
  /** The day of the statement, and the first of those in a row that show it. */
  readonly date: CalendarDate;
  readonly firstDate: CalendarDate;
  /** Of any length, as sums are. */
  readonly stated: string;
  readonly ledger: string | null;
  readonly difference: string;
  readonly transactionIds: readonly Id[];
}

const found = `jsonb_to_recordset($4::jsonb) AS f (id text, account text, depository text, aspect text, subject text, instrument text,
  named jsonb, currency text, class text, date date, "firstDate" date, stated numeric, ledger numeric, difference numeric,
  "transactionIds" text[])`;
const placeOf = `coalesce(f.account, '') || '/' || coalesce(f.depository, '')`;

const closeOthers = sql(
  'breaks/close',
  `UPDATE reconciliation_break b SET state = 'closed', closed_at = $5
   WHERE b.workspace_id = $1 AND b.environment = $2 AND b.client_id = $3 AND b.state <> 'closed'
     AND NOT EXISTS (SELECT FROM ${found} WHERE f.aspect = b.aspect AND f.subject = b.subject AND ${placeOf} = b.place)`,
);

/** Whether it is the difference that was accepted. */
const isAccepted = `b.state = 'accepted' AND b.class = excluded.class AND b.difference = excluded.difference`;

/** Rows that are as they were are not written again. Places that were deleted meanwhile are left out. */
const put = sql(
  'breaks/put',
  `INSERT INTO reconciliation_break AS b (workspace_id, environment, id, client_id, account_id, depository_id, aspect, subject,
     instrument_id, named, currency, class, state, date, first_date, stated, ledger, difference, transaction_ids, first_seen_at,
     opened_at, round_id)
   SELECT $1, $2, f.id, $3, f.account, f.depository, f.aspect, f.subject, f.instrument, f.named, f.currency, f.class, 'open', f.date,
     f."firstDate", f.stated, f.ledger, f.difference, f."transactionIds", $5, $5, $6 FROM ${found}
   WHERE (f.account IS NULL OR EXISTS (SELECT FROM account a WHERE a.workspace_id = $1 AND a.environment = $2 AND a.id = f.account))
     AND (f.depository IS NULL
       OR EXISTS (SELECT FROM depository d WHERE d.workspace_id = $1 AND d.environment = $2 AND d.id = f.depository))
   ORDER BY f.id
   ON CONFLICT (workspace_id, environment, client_id, place, aspect, subject) DO UPDATE SET
     instrument_id = excluded.instrument_id, named = excluded.named, currency = excluded.currency, class = excluded.class,
     state = CASE WHEN ${isAccepted} THEN 'accepted' ELSE 'open' END,
     accepted_by = CASE WHEN ${isAccepted} THEN b.accepted_by END,
     accepted_at = CASE WHEN ${isAccepted} THEN b.accepted_at END,
     date = excluded.date,
     first_date = CASE WHEN b.state = 'closed' THEN excluded.first_date ELSE least(b.first_date, excluded.first_date) END,
     stated = excluded.stated, ledger = excluded.ledger, difference = excluded.difference,
     transaction_ids = excluded.transaction_ids,
     opened_at = CASE WHEN b.state = 'closed' THEN excluded.opened_at ELSE b.opened_at END,
     closed_at = NULL, round_id = excluded.round_id
   WHERE (b.instrument_id, b.named, b.currency, b.class, b.date, b.stated, b.ledger, b.difference, b.transaction_ids, b.closed_at)
     IS DISTINCT FROM (excluded.instrument_id, excluded.named, excluded.currency, excluded.class, excluded.date, excluded.stated,
       excluded.ledger, excluded.difference, excluded.transaction_ids, NULL::timestamptz)
     OR excluded.first_date < b.first_date`,
);

/** A break that a person has accepted, in the form in which it is recognised. */
export interface AcceptedBreak {
  readonly account: string | null;
  readonly depository: string | null;
  readonly aspect: FoundBreak['aspect'];
  readonly subject: string;
  readonly class: FoundBreak['class'];
  readonly difference: string;
}

const listAccepted = sql<AcceptedBreak>(
  'breaks/accepted',
  `SELECT b.account_id AS account, b.depository_id AS depository, b.aspect, b.subject, b.class, b.difference
   FROM reconciliation_break b WHERE b.workspace_id = $1 AND b.environment = $2 AND b.client_id = $3 AND b.state = 'accepted'
     AND b.accepted_at <= $4`,
);

const countUnclosed = sql<{ count: number }>(
  'breaks/unclosed',
  `SELECT count(*) AS count FROM reconciliation_break b WHERE b.workspace_id = $1 AND b.environment = $2 AND b.client_id = $3
     AND b.state <> 'closed'`,
);

export class ReconciliationBreaks {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  /** Stores all breaks that a round found for a client, and closes the others. */
  async put(
    breaks: readonly (FoundBreak & { readonly id: Id })[],
    { client, round, now }: { readonly client: Id; readonly round: Id; readonly now: number },
  ): Promise<void> {
    const values = [...this.#tenant, client, JSON.stringify(breaks), new Date(now)];
    await this.#run(closeOthers, values);
    if (breaks.length > 0) await this.#run(put, [...values, round]);
  }

  /** Whether a client has breaks that are not closed. */
  async hasUnclosed(client: Id): Promise<boolean> {
    return countIn(await this.#run(countUnclosed, [...this.#tenant, client])) > 0;
  }

  /** The breaks of a client that were accepted up to a moment and still are. */
  async listAccepted(client: Id, until: number): Promise<AcceptedBreak[]> {
    return (await this.#run(listAccepted, [...this.#tenant, client, new Date(until)])).rows;
  }
}
