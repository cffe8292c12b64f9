// The span of a round trip to the database: the names of its statements, never their text or values.

import { completeSpan, type Span } from '../../kit/tracing/span.ts';
import type { Call, Outcome } from './statement.ts';

/** What opens and ends transactions says little: the trip has the name of what it is made for. */
const plumbing = /^(begin|begin-snapshot|commit|rollback|planned-once|enter|without-|with-)/;
const namesMax = 50;

function statementName({ statement: { name } }: Call): string {
  const end = name.lastIndexOf('#');
  return end === -1 ? name : name.slice(0, end);
}

export function traceBatch(parent: Span, calls: readonly Call[], send: () => Promise<Outcome[]>): Promise<Outcome[]> {
  const names = calls.slice(0, namesMax).map(statementName);
  const summary = names.find((name) => !plumbing.test(name)) ?? names.at(-1) ?? 'nothing';
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.summary': summary,
    'db.operation.batch.size': calls.length,
    'holdfast.statements': names,
  };
  return completeSpan(parent.begin(`postgresql ${summary}`, { kind: 'client', attributes }), send);
}
