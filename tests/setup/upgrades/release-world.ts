// Fills the service of a release over v1 with what later releases must keep: the reference portfolio with corrections, limits, a user, a webhook,
// an application; and asks its reports.

import type { Caller, Reply } from '../http/caller.ts';
import { ReferenceClient } from '../reference-portfolio/reference-client.ts';
import { readReferencePortfolio } from '../reference-portfolio/reference-portfolio.ts';

const { facts, expected } = readReferencePortfolio();

function succeeded(reply: Reply): Reply {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply;
}

async function addSurroundings(caller: Caller, client_id: string): Promise<void> {
  const hook = { url: 'https://hooks.example.com/holdfast', events: ['transaction.created', 'limit.breached'] };
  succeeded(await caller.post('/v1/webhooks', hook));
  const user = { first_name: 'Ada', last_name: 'Amsel', email: 'ada@amsel.example', client_id, role: 'viewer' };
  succeeded(await caller.post('/v1/users', user));
  succeeded(await caller.post('/v1/applications', { name: 'Reports', rights: ['read'] }));
  for (const { id, kind, filter, bounds } of facts.limits)
    succeeded(await caller.post('/v1/limits', { name: id, client_id, kind, filter, ...bounds }));
}

/** Changes what was reported: a price, an amount, and a booking that never was. */
async function correct(caller: Caller, client: ReferenceClient): Promise<void> {
  const price = { date: '2025-12-31', value: '77.7' };
  succeeded(await caller.post(`/v1/instruments/${client.id('share')}/prices`, price));
  const deposit = facts.transactions.find(({ kind }) => kind === 'flow')!;
  const id = client.id(`row ${deposit.row}`);
  succeeded(await caller.patch(`/v1/transactions/${id}`, { amount: '123456.78' }));
  const last = facts.transactions.findLast(({ kind }) => kind === 'dividend' || kind === 'interest')!;
  succeeded(await caller.delete(`/v1/transactions/${client.id(`row ${last.row}`)}`));
}

function reportPaths(entity: string): string[] {
  const report = (path: string, query: string): string => `/v1/${path}?reporting_entity_id=${entity}&${query}`;
  return [
    ...Object.keys(expected.byDate).flatMap((day) => [
      report('holdings', `as_of=${day}`),
      report('holdings', `as_of=${day}&by=class`),
      report('lots', `as_of=${day}`),
      report('allocation', `as_of=${day}&by=class,currency`),
      report('performance/private-markets', `as_of=${day}`),
    ]),
    ...expected.byWindow.flatMap(({ from, to }) => [
      report('performance', `start=${from}&end=${to}`),
      report('performance', `start=${from}&end=${to}&by=class,account,instrument&detail=summary`),
      report('realised-gains', `from=${from}&to=${to}`),
    ]),
    report('data-quality', 'as_of=2026-09-30'),
    report('explain', 'figure=unrealised_pnl&as_of=2026-09-30'),
  ];
}

/** The answers of all reports, by their path with `known_at` of this moment. */
async function askReports(caller: Caller, entity: string): Promise<Record<string, string>> {
  const at = new Date().toISOString();
  const answers: Record<string, string> = {};
  for (const path of reportPaths(entity)) {
    const known = `${path}&known_at=${at}`;
    answers[known] = succeeded(await caller.get(known)).text;
  }
  return answers;
}

/** Books, asks, corrects, and asks again. */
export async function fillRelease(caller: Caller): Promise<Record<string, string>> {
  const client = await ReferenceClient.book(caller, facts);
  await addSurroundings(caller, client.id('client'));
  const before = await askReports(caller, client.id('all'));
  await correct(caller, client);
  return { ...before, ...(await askReports(caller, client.id('all'))) };
}
