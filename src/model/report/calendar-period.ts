// Calendar periods that a report can be cut into.

export const calendarPeriods = ['month', 'quarter', 'year'] as const;
export type CalendarPeriod = (typeof calendarPeriods)[number];
