// What a page of a reporting entity shows: the entity, the day, the period, the currency and the moment of knowledge, as its address
// says. Reports are asked with `dayQuery` or `windowQuery`; what is malformed goes to the API as it is, which says what is wrong.

import { DateFault, fromDayNumber, parseCalendarDate, toDayNumber } from '../../../kit/calendar-date.ts';
import { addMonths, type Day } from '../../../kit/day.ts';
import type { PersonAccess } from '../../../model/access/person-access.ts';
import { isRoleAtLeast, type Role } from '../../../model/people/role.ts';
import { dayOfMoment, endOfDay } from '../../../actions/reports/report-day.ts';
import type { Page } from '../signed-in-page.ts';

export const periodNames = ['1m', 'year', '1y', '3y', 'all', 'own'] as const;
export type PeriodName = (typeof periodNames)[number];

export interface Period {
  readonly name: PeriodName;
  /** The first day; undefined for the first day of the year, which the API finds. */
  readonly start?: string;
  /** The last day; undefined for the latest with data. */
  readonly end?: string;
}

/** A reporting entity as the API has it. */
export interface Entity {
  readonly id: string;
  readonly name: string;
  readonly clientId: string;
}

export interface EntityView {
  readonly page: Page;
  readonly entityId: string;
  /** Read beside the reports, not before them. */
  readonly entity: Promise<Entity>;
  /** The day; undefined for the latest with data. */
  readonly asOf: string | undefined;
  /** Undefined for the reference currency. */
  readonly currency: string | undefined;
  /** An instant; undefined for what is known now. */
  readonly knownAt: string | undefined;
  readonly period: Period;
  /** Words to search for. */
  readonly text: string;
  readonly cursor: string | undefined;
  /** What `?sort=` says. */
  readonly sort: string | undefined;
  /** Parameters of every report: entity and `known_at`. */
  readonly entityQuery: ApiQuery;
  /** Parameters of the reports of a day: also `as_of`. */
  readonly dayQuery: ApiQuery;
  /** Parameters of the reports of a period: also `start`, `end` and `currency`. */
  readonly windowQuery: ApiQuery;
  /** Whether the API answers this person, at this entity, what takes a role. */
  hasRole(role: RequiredRole): boolean;
  /** The day of the moment that a report names. */
  dayOf(moment: string): string;
  /** The page that explains a figure; undefined for people who may not see explanations. */
  explainHref(figure: string, parameters?: ApiQuery): string | undefined;
  /** The address of another page of the entity, with the same choices. */
  href(path: string, parameters?: Readonly<Record<string, string>>): string;
}

type ApiQuery = Readonly<Record<string, string | undefined>>;

/** The least role, or an administrator of the workspace. */
export type RequiredRole = Role | 'administrator';

/** Earlier than any booking: the API begins with the first. */
const firstDay = '1900-01-01';
const monthsOf = { '1m': 1, '1y': 12, '3y': 36 } as const;

/** The choices that stay when somebody goes from page to page. */
const keptParameters = ['as_of', 'currency', 'known_at', 'period', 'start'] as const;

export function readEntityView(page: Page, entityId: string, readEntity: () => Promise<Entity>): EntityView {
  const choice = (name: string): string | undefined => page.query.get(name)?.trim() || undefined;
  const [asOf, currency, knownAt] = [choice('as_of'), choice('currency')?.toUpperCase(), readKnownAt(page)];
  const period = readPeriod(page, { asOf, start: choice('start'), name: choice('period') });
  const entityQuery = { reporting_entity_id: entityId, known_at: knownAt };
  const hasRole = (role: RequiredRole): boolean => isAllowed(page.access, entityId, role);
  return {
    page,
    entityId,
    entity: readEntity(),
    asOf,
    currency,
    knownAt,
    period,
    text: choice('text') ?? '',
    cursor: choice('cursor'),
    sort: choice('sort'),
    entityQuery,
    dayQuery: { ...entityQuery, as_of: asOf },
    windowQuery: { ...entityQuery, start: period.start, end: period.end, currency },
    hasRole,
    dayOf: (moment) => fromDayNumber(dayOfMoment(Date.parse(moment), page.timeZone)),
    explainHref: (figure, parameters = {}) =>
      hasRole('advisor')
        ? addressOf(`/entities/${entityId}/explain`, { figure, ...parameters, known_at: knownAt })
        : undefined,
    href: (path, parameters = {}) => {
      const kept = keptParameters.map((name) => [name, choice(name)] as const);
      return addressOf(`/entities/${entityId}${path}`, { ...Object.fromEntries(kept), ...parameters });
    },
  };
}

function addressOf(path: string, parameters: ApiQuery): string {
  const given = Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

function isAllowed({ isWorkspaceAdministrator, grants }: PersonAccess, entity: string, role: RequiredRole): boolean {
  if (isWorkspaceAdministrator) return true;
  const grant = grants.find(({ reportingEntityId }) => reportingEntityId === entity);
  return grant !== undefined && role !== 'administrator' && isRoleAtLeast(grant.role, role);
}

/** A day means its end. What is known at the end of today is what is known now. */
function readKnownAt({ query, now, timeZone }: Page): string | undefined {
  const sent = query.get('known_at')?.trim() || undefined;
  const day = sent === undefined ? undefined : dayOf(sent);
  if (day === undefined) return sent;
  const moment = endOfDay(day, timeZone);
  return moment >= now ? undefined : new Date(moment).toISOString();
}

interface SentPeriod {
  readonly asOf: string | undefined;
  readonly start: string | undefined;
  readonly name: string | undefined;
}

function readPeriod({ now, timeZone }: Page, { asOf, start, name }: SentPeriod): Period {
  const end = asOf === undefined ? {} : { end: asOf };
  if (start !== undefined) return { name: 'own', start, ...end };
  if (name === 'all') return { name, start: firstDay, ...end };
  const last = asOf === undefined ? dayOfMoment(now, timeZone) : dayOf(asOf);
  if (last === undefined || (name !== '1m' && name !== '1y' && name !== '3y')) return { name: 'year', ...end };
  return { name, start: fromDayNumber(addMonths(last, -monthsOf[name]) + 1), ...end };
}

function dayOf(text: string): Day | undefined {
  try {
    return toDayNumber(parseCalendarDate(text));
  } catch (error) {
    if (error instanceof DateFault) return undefined;
    throw error;
  }
}
