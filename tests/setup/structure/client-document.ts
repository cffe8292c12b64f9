// Clients and refusals as the wires write them, for tests that compare whole bodies.

import type { Reply } from '../http/caller.ts';

export interface ClientLinks {
  readonly parent?: string | null;
  readonly children?: readonly string[];
  readonly legalEntities?: readonly string[];
  readonly reportingEntities?: readonly string[];
}

/** The settings that figures depend on, of a client that states none, as v1 shows them. */
export const shownFigureSettings = {
  value_change_bound: '0.5',
  long_term_months: 12,
  stale_days_listed: 10,
  stale_days_funds: 45,
  stale_days_private: 120,
  volatility_days: 252,
};

/** The whole resource object of a client on JSON:API. */
export function clientObject(id: string, name: string, links: ClientLinks = {}): object {
  const { parent = null, children = [], legalEntities = [], reportingEntities = [] } = links;
  return {
    type: 'client',
    id,
    attributes: { name },
    relationships: {
      parent: { data: parent === null ? null : { type: 'client', id: parent } },
      children: { data: children.map((child) => ({ type: 'client', id: child })) },
      legalEntities: { data: legalEntities.map((one) => ({ type: 'legal-entity', id: one })) },
      reportingEntities: { data: reportingEntities.map((one) => ({ type: 'reporting-entity', id: one })) },
    },
  };
}

/** A document that creates a client. */
export function newClientDocument(name: string, rest: object = {}): object {
  return { data: { type: 'client', attributes: { name }, ...rest } };
}

/** A document that changes a client. */
export function clientChangeDocument(id: string, rest: object): object {
  return { data: { type: 'client', id, ...rest } };
}

export function parentRelationship(id: string | null): object {
  return { relationships: { parent: { data: id === null ? null : { type: 'client', id } } } };
}

export interface ReportedRefusal {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly pointer: string | undefined;
}

/** A refusal on any wire, without the parts that differ between requests; only its first fault if it has several. */
export function reportedRefusal({ status, body }: Reply): ReportedRefusal {
  const [first = {}] = body.errors ?? [];
  const { code, detail } = body.code === undefined ? first : body;
  return { status, code, detail, pointer: first.pointer ?? first.source?.pointer };
}
