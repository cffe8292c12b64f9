// The conditions that filters put on the rows of a resource.

import { dayMs } from '../../kit/clock.ts';
import { firstIdAt } from '../../kit/id.ts';
import { fieldOfUntilKey, isToMany, type AnyChange, type Resource } from '../../kit/resource.ts';
import type { Value } from '../postgres/statement.ts';
import { columnOf, toColumn } from './resource-sql.ts';

/** The condition that a field has the parameter's value, or is null if there is none; that a set contains it. */
function fieldCondition(resource: Resource, field: string, parameter: string | null): string {
  const relation = resource.relations[field];
  if (parameter === null) return `AND t.${columnOf(resource, field)} IS NULL`;
  if (relation === undefined || !isToMany(relation)) return `AND t.${columnOf(resource, field)} = ${parameter}`;
  const { table, column, otherColumn } = relation.many;
  return `AND t.id IN (SELECT r.${column} FROM ${table} r
    WHERE r.workspace_id = $1 AND r.environment = $2 AND r.${otherColumn} = ${parameter})`;
}

/** Whether the field is filtered by a moment: rows of that moment or later match. */
function isSinceFilter({ attributes }: Resource, field: string): boolean {
  const filter = attributes[field]?.filter;
  return filter === 'since' || filter === 'period';
}

/** The conditions on fields, and the values of their parameters, which are numbered from `first` on. */
export function fieldConditions(
  resource: Resource,
  where: AnyChange,
  first: number,
): { conditions: string; values: Value[] } {
  const values: Value[] = [];
  const add = (value: Value): string => `$${first + values.push(value) - 1}`;
  const conditions = Object.keys(where)
    .toSorted()
    .map((field) => {
      // Ids are made at about the moment of a record: their bound lets a list begin or end there in its index.
      const ended = fieldOfUntilKey(field);
      if (ended !== undefined) {
        const moment = toDate(where[field]);
        const lastId = add(firstIdAt(moment.getTime() + dayMs));
        return `AND t.${columnOf(resource, ended)} < ${add(moment)} AND t.id < ${lastId}`;
      }
      if (isSinceFilter(resource, field)) {
        const moment = toDate(where[field]);
        const firstId = add(firstIdAt(moment.getTime() - dayMs));
        return `AND t.${columnOf(resource, field)} >= ${add(moment)} AND t.id >= ${firstId}`;
      }
      const value = toColumn(where[field], resource, field);
      return fieldCondition(resource, field, value === null ? null : add(value));
    });
  return { conditions: conditions.join(' '), values };
}

/** Moments are read as milliseconds. */
function toDate(moment: unknown): Date {
  return new Date(moment as number);
}
