// Explains a private-market holding against an index: every flow carried to the day by the index levels.

import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { IsoCurrency } from '../currencies/exchange-rates.ts';
import type { CarriedFlow, IndexMissing, PublicMarketEquivalent } from '../private-markets/public-market-equivalent.ts';
import { explainXirr } from '../returns/money-weighted/xirr.ts';
import { amountFigure, formula, halfEven, joinOperands, sumOperands, type Explanation, type Figure } from './figure.ts';
import { explainMoneyWeighted } from './money-weighted-return.ts';

export interface ComparedFund {
  readonly equivalent: PublicMarketEquivalent | IndexMissing;
  readonly residualValue: Fixed;
  readonly unit: IsoCurrency;
  readonly day: Day;
}

export type EquivalentFigure = 'ks-pme' | 'ln-pme-value' | 'direct-alpha';

export function explainEquivalent(compared: ComparedFund, name: EquivalentFigure): Explanation {
  const { equivalent } = compared;
  if (equivalent.reason !== null) return { name, value: null, notes: [equivalent.reason] };
  const foundEquivalent = { ...compared, equivalent };
  switch (name) {
    case 'ks-pme':
      return explainKaplanSchoar(foundEquivalent);
    case 'ln-pme-value':
      return explainNotionalValue(foundEquivalent);
    case 'direct-alpha':
      return explainDirectAlpha(foundEquivalent);
  }
}

interface FoundEquivalent extends ComparedFund {
  readonly equivalent: PublicMarketEquivalent;
}

function explainKaplanSchoar(compared: FoundEquivalent): Explanation {
  const { ksPme, terms } = compared.equivalent;
  if (ksPme === null) return { name: 'ks-pme', value: null, notes: ['no-calls'] };
  const calls = terms.filter(({ kind }) => kind === 'drawing').map((term) => carriedFigure(term, compared));
  const distributions = terms
    .filter(({ kind }) => kind === 'distribution')
    .map((term) => carriedFigure(term, compared));
  const received = sumOperands([...distributions, residualFigure(compared)]);
  return amountFigure('ks-pme', ksPme, {
    day: compared.day,
    ...formula`(${received}) ÷ (0 − ${joinOperands(calls, ' − ')})`,
    rounding: halfEven,
  });
}

function residualFigure({ residualValue, unit, day }: FoundEquivalent): Figure {
  return amountFigure('residual-value', residualValue, { unit, day });
}

function carriedFigure({ day, amount, level, levelDay, carried }: CarriedFlow, compared: FoundEquivalent): Figure {
  const { unit, day: asOf, equivalent } = compared;
  const flow = amountFigure('flow', amount, { unit, day });
  const point = (on: Day) => ({ kind: 'point', series: 'index', day: on }) as const;
  const levelAtFlow = amountFigure('index-level', level, { day: levelDay, source: point(levelDay) });
  const levelAtEnd = amountFigure('index-level', equivalent.asOfLevel, { day: asOf, source: point(asOf) });
  return amountFigure('carried-flow', carried, {
    unit,
    day,
    ...formula`${flow} × ${levelAtEnd} ÷ ${levelAtFlow}`,
    rounding: halfEven,
  });
}

function explainNotionalValue(compared: FoundEquivalent): Figure {
  const { lnPme, terms } = compared.equivalent;
  const carried = terms.map((term) => carriedFigure(term, compared));
  const notes = lnPme.reason === null ? [] : [lnPme.reason];
  const { unit, day } = compared;
  return amountFigure('ln-pme-value', lnPme.notionalValue, {
    unit,
    day,
    ...formula`0 − (${sumOperands(carried)})`,
    notes,
  });
}

function explainDirectAlpha({ equivalent, residualValue, unit, day }: FoundEquivalent): Explanation {
  const carried = equivalent.terms.map((term) => ({ day: term.day, amount: term.carried }));
  return explainMoneyWeighted(explainXirr([...carried, { day, amount: residualValue }]), {
    name: 'direct-alpha',
    unit,
  });
}
