// Exchange rates on v1: pages by pair and day, single rates, and very many at once, also as the central bank publishes them.

import type { AnyChange, ChangeOf } from '../../../kit/resource.ts';
import { fxRate } from '../../../model/instrument/fx-rate.ts';
import {
  traceRates,
  fxRateRules,
  holdRates,
  putRate,
  putRates,
  refuseOneCurrency,
} from '../../../actions/instruments/fx-rate.ts';
import { creationSchema } from '../../snake-case/creation-schema.ts';
import { flatExample, flatSchema, readFlat } from '../../snake-case/snake-case-object.ts';
import { bulkParameters, writeBulk } from '../../http/bulk/write-bulk.ts';
import { pageSchema } from '../../http/lists/cursor-page.ts';
import { readRange, type DatedRange } from '../../http/lists/dated-query.ts';
import { defineOperation, type BulkDescription } from '../../http/operation/operation.ts';
import { bulkAnswers, bulkNotes, datedPageParameters, listDatedPage, putAnswer, putAnswers } from './dated-values.ts';
import { ecbReferenceRates } from './ecb-reference-rates.ts';
import { filterParameters, filtersOf, whereOf } from '../filters.ts';
import { deletePath, readPath, renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

type Asked = ChangeOf<typeof fxRate>;

const filters = filtersOf(fxRate);
const path = '/v1/fx-rates';

function frame(verb: string) {
  return { id: `v1.fx-rate.${verb}`, wire: v1, group: fxRate.plural, resource: fxRate };
}

/** `at` is where the object stands in the body. */
function readRate(body: Parameters<typeof readFlat>[1], at = ''): Asked {
  const asked = readFlat(fxRate, body, { wire: 'v1', purpose: 'create', at }) as Asked;
  refuseOneCurrency(asked, at);
  return asked;
}

const listRates = defineOperation<DatedRange & { where: AnyChange }>({
  ...frame('list'),
  method: 'GET',
  path,
  summary: 'List exchange rates',
  right: 'read',
  mode: 'read',
  query: { ...filterParameters(filters), ...datedPageParameters },
  answers: { 200: { description: 'A page, by base, quote and day.', schema: pageSchema(flatSchema(fxRate, v1)) } },
  refusals: ['cursor-invalid', 'cursor-expired'],
  read: (sent) => ({ where: whereOf(filters, sent.query), ...readRange(sent) }),
  async handle(ask, asked) {
    const page = await listDatedPage(ask, fxRate, { operation: path, ...asked });
    return { status: 200, body: { ...page, data: page.data.map((rate) => renderV1(fxRate, rate)) } };
  },
});

const createRate = defineOperation<Asked>({
  ...frame('create'),
  method: 'POST',
  path,
  summary: 'Put an exchange rate',
  description: 'Overwrites what is known of the same pair and day from the same source.',
  right: 'write',
  mode: 'write',
  query: {},
  body: { schema: creationSchema(fxRate, v1), example: flatExample(fxRate, 'v1', 'create') },
  answers: putAnswers(fxRate),
  refusals: ['outside-reach'],
  read: ({ body }) => readRate(body),
  handle: async (ask, asked) => putAnswer(ask, fxRate, await putRate(ask.work, asked)),
});

const example = flatExample(fxRate, 'v1', 'create');
const bulk: BulkDescription = {
  row: creationSchema(fxRate, v1),
  example: [
    { ...example, source: 'reference' },
    { ...example, quote: 'USD', rate: '1.1604', source: 'reference' },
  ],
  dialects: [ecbReferenceRates],
};

const bulkRates = defineOperation<void>({
  ...frame('bulk'),
  method: 'POST',
  path: `${path}/bulk`,
  summary: 'Put very many exchange rates',
  description: `${bulkNotes}\n\nA CSV whose header is \`Date,USD,JPY,…\` is taken as the history of reference rates that the European Central Bank publishes (\`eurofxref-hist.csv\`): base EUR, source \`reference\`. Currencies that no longer exist are left out.`,
  right: 'write',
  mode: 'write',
  heavy: true,
  query: bulkParameters,
  bulk,
  answers: bulkAnswers,
  refusals: ['outside-reach'],
  read: () => undefined,
  async handle(ask) {
    const { work } = ask;
    await holdRates(work);
    const told = await writeBulk<Asked, 'written'>(ask, bulk, {
      counts: ['written'],
      read: readRate,
      write: async (rates) => ({ counts: { written: await putRates(work, rates) } }),
    });
    traceRates(work, { accepted: told.accepted, written: told.written });
    return { status: 200, body: told };
  },
});

export const fxRatePaths = [
  listRates,
  createRate,
  bulkRates,
  readPath({ rules: fxRateRules }),
  deletePath({ rules: fxRateRules }),
];
