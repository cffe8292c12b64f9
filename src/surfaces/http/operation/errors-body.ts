// The error body of the frozen APIs: JSON:API and Plain JSON.

import type { Problem } from './problem.ts';

export const errorsSchema = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['id', 'status', 'code', 'title', 'detail'],
        properties: {
          id: {
            type: 'string',
            description: 'The request id, followed by .1, .2 and so on for further errors of the same request.',
          },
          status: { type: 'string', description: 'The HTTP status, as a string.' },
          code: { type: 'string', description: 'A machine code; the error page lists them.' },
          title: { type: 'string' },
          detail: { type: 'string' },
          source: {
            type: 'object',
            properties: { pointer: { type: 'string' }, parameter: { type: 'string' }, header: { type: 'string' } },
            additionalProperties: false,
          },
          links: { type: 'object', properties: { about: { type: 'string', format: 'uri' } } },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

function errorIdentity(problem: Problem, code: string, index = 0): object {
  return {
    id: index === 0 ? problem.requestId : `${problem.requestId}.${index}`,
    status: String(problem.status),
    code,
    links: { about: problem.help.replace(/#.*/, `#${code}`) },
  };
}

/** One error for each fault, or one for the whole request if there are none. */
export function errorsBody(problem: Problem): unknown {
  const { title, detail, faults } = problem;
  if (faults.length === 0) return { errors: [{ ...errorIdentity(problem, problem.code), title, detail }] };
  return {
    errors: faults.map(({ code, detail: fault, pointer, parameter, header }, index) => ({
      ...errorIdentity(problem, code, index),
      title,
      detail: fault,
      ...((pointer ?? parameter ?? header) === undefined ? {} : { source: { pointer, parameter, header } }),
    })),
  };
}
