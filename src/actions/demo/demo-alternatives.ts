// The instruments of the demo parents that have no market: a house, a loan, a forward and funds, with their values.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { AnyChange } from '../../kit/resource.ts';
import { netAssetValue, price } from '../../model/instrument/series-point.ts';
import { instrumentRules } from '../instruments/instrument.ts';
import type { Work } from '../core/work.ts';
import { createAndGetId, putSeries, type ClassIds } from './demo-catalogue.ts';
import { quarterEnds } from './demo-days.ts';
import { runFund, type FundTerms } from './demo-funds.ts';
import { amountOf } from './demo-ledger.ts';
import type { DemoAlternatives, DemoFund } from './family-ledger.ts';

type AlternativesInput = Pick<DemoAlternatives, 'francs' | 'euros' | 'dollars'> & {
  readonly classes: ClassIds;
  readonly reportingEntity: Id;
};

const million = 100_000_000;

export async function createAlternatives(work: Work, input: AlternativesInput): Promise<DemoAlternatives> {
  const { classes, reportingEntity, francs, euros, dollars } = input;
  const makeInstrument = (path: string, fields: AnyChange): Promise<Id> =>
    createAndGetId(work, instrumentRules, {
      reportingEntity,
      instrumentClass: defined(classes.get(path), 'the classes of the demo exist'),
      ...fields,
    });
  const building = await makeInstrument('Real assets/Real estate', {
    type: 'other-instrument',
    name: 'Apartment building Seefeldstrasse',
    ccyCode: 'CHF',
  });
  const buildingValues = quarterEnds
    .slice(5)
    .map((day, quarter) => ({ day, value: (2_900_000 + 21_000 * quarter) * 100 }));
  await putSeries(work, price, building, buildingValues);
  const loan = await makeInstrument('Fixed income/Loans', {
    type: 'loan-instrument',
    name: 'Loan to Lindqvist Bau AG',
    ccyCode: 'CHF',
    principal: '500000',
    interestRate: '0.035',
    startDate: '2019-01-01',
    maturity: '2029-01-01',
  });
  const forward = await makeInstrument('Derivatives/FX forwards', {
    type: 'fx-forward-physical-delivery-contract',
    name: 'CHF/USD forward March 2027',
    nearLeg: { ccyCode: 'CHF', amount: '-880000', date: '2027-03-15' },
    farLeg: { ccyCode: 'USD', amount: '1000000', date: '2027-03-15' },
    forwardRate: '0.88',
  });
  const fund = (name: string, currency: string, terms: FundPlan): Promise<DemoFund> =>
    createFund(work, makeInstrument, { name, currency, terms });
  const funds = [
    await fund('Alpine Growth Partners IV', 'EUR', { account: 'euros', commitment: 2 * million, from: 1, skill: 0 }),
    await fund('Harbor Venture Fund II', 'USD', {
      account: 'dollars',
      commitment: Math.trunc(1.2 * million),
      from: 2,
      skill: 12,
    }),
    await fund('Gotthard Infrastructure I', 'CHF', { account: 'francs', commitment: million, from: 4, skill: -8 }),
    await fund('Nordic Transition Fund I', 'EUR', { account: 'euros', commitment: million, from: 9, skill: 0 }),
  ];
  return { francs, euros, dollars, building, loan, forward, funds };
}

type FundPlan = FundTerms & Pick<DemoFund, 'account'>;

async function createFund(
  work: Work,
  makeInstrument: (path: string, fields: AnyChange) => Promise<Id>,
  { name, currency, terms }: { name: string; currency: string; terms: FundPlan },
): Promise<DemoFund> {
  const { commitment, from, account } = terms;
  const id = await makeInstrument('Private markets/Private equity', {
    type: 'private-market-fund',
    name,
    ccyCode: currency,
    commitment: amountOf(commitment / 100),
    vintageYear: 2016 + from,
  });
  const { flows, values } = runFund(terms);
  await putSeries(work, netAssetValue, id, values);
  return { id, account, flows };
}
