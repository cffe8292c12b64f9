// Makes clients of the sandbox by persona, moves their clocks, and removes them. In the sandbox environment only.

import { defined } from '../../kit/assert.ts';
import { fromDayNumber, toDayNumber } from '../../kit/calendar-date.ts';
import { addMonths, type Day } from '../../kit/day.ts';
import { Refusal, refusalForFaults } from '../../kit/refusal.ts';
import { codeOf, personas, type SandboxCurrency } from '../../model/sandbox/persona.ts';
import {
  advanceDaysMax,
  sandboxClient,
  sandboxClientsMax,
  sandboxYearsMax,
  type NewSandboxClient,
  type SandboxAdvance,
  type SandboxClient,
} from '../../model/sandbox/sandbox-client.ts';
import { requireWholeWorkspace } from '../core/all-clients-access.ts';
import { auditRecord, createRecord, notFound, type Rules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';
import { lockRates } from '../instruments/fx-rate.ts';
import { dayOfMoment } from '../reports/report-day.ts';
import { clientRules } from '../structure/client.ts';
import { marketStart } from './market/walk.ts';
import { personaPlans, type LifeTerms } from './personas/personas.ts';
import { writeDays, type WrittenCounts } from './sandbox-data.ts';
import { requireSandbox } from './sandbox-only.ts';
import { createLimits, createStructure, MadeRecords } from './sandbox-structure.ts';

export const sandboxClientRules: Rules<typeof sandboxClient> = { resource: sandboxClient };

export interface SandboxOutcome {
  readonly record: SandboxClient;
  readonly written: WrittenCounts;
}

/** Makes one at a time in an environment, since they share instruments, prices and rates. */
async function enter(work: Work): Promise<void> {
  requireSandbox(work.store.scope);
  requireWholeWorkspace(work);
  await lockRates(work);
}

function todayOf({ now, context }: Work): Day {
  return dayOfMoment(now, context.timeZone);
}

function refuseField(field: string, detail: string): never {
  throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field }]);
}

interface Span {
  readonly start: Day;
  readonly end: Day;
}

function spanOf(work: Work, { years, startDate, endDate }: NewSandboxClient): Span {
  const today = todayOf(work);
  const end = endDate === undefined ? today - 1 : toDayNumber(endDate);
  if (end > today) refuseField('endDate', `This must not be after today, ${fromDayNumber(today)}.`);
  if (years !== undefined && startDate !== undefined) refuseField('years', 'years cannot be sent beside start_date.');
  const start = startDate === undefined ? addMonths(end, -12 * (years ?? 3)) : toDayNumber(startDate);
  const field = startDate === undefined ? 'endDate' : 'startDate';
  if (start < marketStart)
    refuseField(
      field,
      `The data would begin before ${fromDayNumber(marketStart)}, where the market of the sandbox begins.`,
    );
  if (start > end) refuseField(field, `The first day must not be after the last, ${fromDayNumber(end)}.`);
  if (start < addMonths(end, -12 * sandboxYearsMax))
    refuseField(field, `The data can have at most ${sandboxYearsMax} years.`);
  return { start, end };
}

async function refuseTooMany({ store }: Work): Promise<void> {
  if ((await store.table(sandboxClient).count()) < sandboxClientsMax) return;
  throw new Refusal(
    'sandbox-full',
    `The sandbox of a workspace has at most ${sandboxClientsMax} clients made by persona. Delete one that is not needed any more.`,
  );
}

export async function createSandboxClient(work: Work, input: NewSandboxClient): Promise<SandboxOutcome> {
  requireSandbox(work.store.scope);
  const { start, end } = spanOf(work, input);
  await enter(work);
  await refuseTooMany(work);
  const persona = defined(input.persona, 'a persona is required');
  const { name, reportingCurrency } = personas[persona];
  const home = input.reportingCurrency ?? reportingCurrency;
  const { id: client } = await createRecord(work, clientRules, {
    name: input.name ?? name,
    referenceCurrency: codeOf(home),
    accountingMethod: 'FIFO',
  });
  const terms: LifeTerms = { persona, home, seed: input.seed ?? 1, start };
  const plan = personaPlans[persona].structure(home);
  const made = await createStructure(work, client, plan);
  const written = await writeDays(work, { terms, until: end, made });
  await createLimits(work, { client, made, plan });
  const record = await work.store.table(sandboxClient).insert(client, {
    client,
    persona,
    reportingCurrency: home,
    seed: terms.seed,
    startDate: fromDayNumber(start),
    endDate: fromDayNumber(end),
    records: made.list,
    createdAt: new Date(work.now),
  });
  auditRecord(work, sandboxClientRules, 'create', { after: record });
  return { record, written };
}

function targetOf(work: Work, { endDate }: SandboxClient, { to, days }: SandboxAdvance): Day {
  const [end, today] = [toDayNumber(endDate), todayOf(work)];
  if ((to === undefined) === (days === undefined)) refuseField('to', 'Send either to or days.');
  const field = to === undefined ? 'days' : 'to';
  const target = to === undefined ? end + defined(days, 'one of both is sent') : toDayNumber(to);
  if (target < end) refuseField(field, `A clock cannot be moved back: it shows ${endDate}.`);
  if (target > today)
    refuseField(field, `A clock cannot be moved beyond today, ${fromDayNumber(today)}. It shows ${endDate}.`);
  if (target - end > advanceDaysMax)
    refuseField(field, `A clock can be moved by at most ${advanceDaysMax} days at a time. It shows ${endDate}.`);
  return target;
}

/** Two at once follow each other: the second goes on from where the first has moved the clock to. */
export async function advanceSandboxClient(work: Work, id: string, input: SandboxAdvance): Promise<SandboxOutcome> {
  await enter(work);
  const present = await work.store.table(sandboxClient).lock(id, 'to-change');
  if (present === undefined) throw notFound(sandboxClient);
  const target = targetOf(work, present, input);
  const after = toDayNumber(present.endDate);
  if (target === after) return { record: present, written: { transactions: 0, prices: 0, rates: 0 } };
  const made = new MadeRecords(present.records);
  const written = await writeDays(work, { terms: termsOf(present), after, until: target, made }).catch(asChanged);
  const fields = { endDate: fromDayNumber(target), records: made.list };
  const record = await work.store.table(sandboxClient).update(present.id, fields);
  auditRecord(work, sandboxClientRules, 'change', { before: present, after: record });
  return { record, written };
}

function termsOf({ persona, reportingCurrency, seed, startDate }: SandboxClient): LifeTerms {
  return { persona, home: reportingCurrency satisfies SandboxCurrency, seed, start: toDayNumber(startDate) };
}

/** What a persona books is refused only where somebody has changed what it needs. */
function asChanged(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const detail = `Something that the persona needs was changed or deleted since: ${error.message} Make a new client.`;
  throw new Refusal('sandbox-client-changed', detail, { cause: error });
}
