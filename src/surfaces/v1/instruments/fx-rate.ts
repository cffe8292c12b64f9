// Exchange rates on v1: lists by pair and day, single rates, and bulk writes, also of the central bank's own files.

import type { Json } from '../../../kit/json.ts';
import type { AnyChange, ChangeOf } from '../../../kit/resource.ts';
import { fxRate } from '../../../model/instrument/fx-rate.ts';
import { deleteActions, readActions } from '../../../actions/core/record-actions.ts';
import {
  recordRateImport,
  fxRateRules,
  lockRates,
  putRate,
  putRates,
  refuseSameCurrency,
} from '../../../actions/instruments/fx-rate.ts';
import { snakeCaseCreationSchema } from '../../snake-case/creation-schema.ts';
import { snakeCaseExample, snakeCaseSchema, readSnakeCase } from '../../snake-case/snake-case-object.ts';
import { bulkParameters, runBulk } from '../../http/bulk/bulk-mode.ts';
import { writeBulk } from '../../http/bulk/write-bulk.ts';
import { pageSchema } from '../../http/lists/cursor-page.ts';
import { readDatedRange, type DatedRange } from '../../http/lists/dated-query.ts';
import type { FaultDetail } from '../../http/operation/declared-fields.ts';
import { defineOperation, type BulkDescription } from '../../http/operation/operation.ts';
import {
  bulkResponses,
  bulkRowsDescription,
  datedPageParameters,
  listDatedPage,
  putResponse,
  putResponses,
} from './dated-values.ts';
import { ecbReferenceRates } from './ecb-reference-rates.ts';
import { filterParameters, resourceFilters, readFilters } from '../filters.ts';
import { v1DeletePath, v1ReadPath, renderV1 } from '../resource-paths.ts';
import { v1 } from '../wire.ts';

type FxRateInput = ChangeOf<typeof fxRate>;

const filters = resourceFilters(fxRate);
const path = '/v1/fx-rates';

function operationBase(verb: string) {
  return { id: `v1.fx-rate.${verb}`, wire: v1, group: fxRate.plural, resource: fxRate };
}

/** `at` is the path of the rate in the body. */
function readRate(body: Json | undefined, at = '', faultDetail: FaultDetail = 'described'): FxRateInput {
  const input = readSnakeCase(fxRate, body, { wire: v1, purpose: 'create', at, faultDetail });
  refuseSameCurrency(input, at);
  return input;
}

const listRates = defineOperation<DatedRange & { where: AnyChange }>({
  ...operationBase('list'),
  method: 'GET',
  path,
  summary: 'List exchange rates',
  right: 'read',
  mode: 'read',
  query: { ...filterParameters(filters), ...datedPageParameters },
  responses: {
    200: { description: 'A page, by base, quote and day.', schema: pageSchema(snakeCaseSchema(fxRate, v1)) },
  },
  refusals: ['cursor-invalid', 'cursor-expired'],
  read: (parsed) => ({ where: readFilters(filters, parsed.query), ...readDatedRange(parsed) }),
  async handle(request, input) {
    const page = await listDatedPage(request, fxRate, { operation: path, ...input });
    return { status: 200, body: { ...page, data: page.data.map((rate) => renderV1(fxRate, rate)) } };
  },
});

const createRate = defineOperation<FxRateInput>({
  ...operationBase('create'),
  method: 'POST',
  path,
  summary: 'Put an exchange rate',
  description: 'Overwrites the rate of the same pair, day and source.',
  right: 'write',
  mode: 'write',
  query: {},
  body: { schema: snakeCaseCreationSchema(fxRate, v1), example: snakeCaseExample(fxRate, v1, 'create') },
  responses: putResponses(fxRate),
  refusals: ['outside-reach'],
  read: ({ body }) => readRate(body),
  handle: async (request, input) => putResponse(request, fxRate, await putRate(request.work, input)),
});

const example = snakeCaseExample(fxRate, v1, 'create');
const bulk: BulkDescription = {
  row: snakeCaseCreationSchema(fxRate, v1),
  example: [
    { ...example, source: 'reference' },
    { ...example, quote: 'USD', rate: '1.1604', source: 'reference' },
  ],
  dialects: [ecbReferenceRates],
};

const bulkRates = defineOperation<void>({
  ...operationBase('bulk'),
  method: 'POST',
  path: `${path}/bulk`,
  summary: 'Put many exchange rates',
  description: `${bulkRowsDescription}\n\nA CSV whose header is \`Date,USD,JPY,…\` is read as the history of reference rates that the European Central Bank publishes (\`eurofxref-hist.csv\`): base EUR, source \`reference\`. Currencies that no longer exist are left out.`,
  right: 'write',
  mode: 'write',
  heavy: true,
  query: bulkParameters,
  bulk,
  responses: bulkResponses,
  refusals: ['outside-reach'],
  read: () => undefined,
  async handle(request) {
    const { work } = request;
    const body = await runBulk(request, async () => {
      await lockRates(work);
      const report = await writeBulk<FxRateInput, 'written'>(request, bulk, {
        counts: ['written'],
        read: readRate,
        write: async (rates) => ({ counts: putRates(work, rates).then((written) => ({ written })) }),
      });
      recordRateImport(work, { accepted: report.accepted, written: report.written });
      return report;
    });
    return { status: 200, body };
  },
});

export const fxRatePaths = [
  listRates,
  createRate,
  bulkRates,
  v1ReadPath({ actions: readActions(fxRateRules) }),
  v1DeletePath({ actions: deleteActions(fxRateRules) }),
];
