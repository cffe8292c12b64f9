// The young couple: two salaries, everyday spending, a savings plan in funds, and a home with a mortgage.

import { fromDayNumber } from '../../../kit/calendar-date.ts';
import { weekdayOf, type Day } from '../../../kit/day.ts';
import { decimalOf } from '../../demo/demo-market.ts';
import type { PersonaBook } from './persona-book.ts';
import {
  chance,
  inClass,
  isMonthly,
  isQuarterEnd,
  isYearly,
  nextWeekday,
  percentOf,
  previousQuarterEnd,
  scaleOf,
  type Life,
  type Persona,
} from './persona.ts';

const bank = 'Lindenhof Bank';
/** In ten-thousandths. */
const mortgageRate = 180;

function homeDayOf({ opening }: Life): Day {
  return nextWeekday(opening + 45);
}

interface HomeTerms {
  readonly price: number;
  readonly loan: number;
}

function homeOf(life: Life): HomeTerms {
  const price = scaleOf(life) * 10_000 * 100;
  return { price, loan: percentOf(price, 75) };
}

/** Moves in, with a loan for three quarters of the price. */
function buyHome(book: PersonaBook, day: Day, life: Life): void {
  const { price, loan } = homeOf(life);
  const currency = life.home;
  book.add({
    day,
    key: 'home',
    path: 'Real assets/Real estate',
    fields: { type: 'other-instrument', name: 'Apartment Gartenweg 4', ccyCode: currency },
  });
  book.add({
    day,
    key: 'mortgage',
    path: 'Fixed income/Loans',
    fields: {
      type: 'loan-instrument',
      name: 'Mortgage Gartenweg 4',
      ccyCode: currency,
      principal: decimalOf(loan, 2),
      interestRate: '0.018',
      startDate: fromDayNumber(day),
      dayCountConvention: 'ACT/365',
    },
  });
  const needed = price - loan + percentOf(price, 1);
  book.ensure('savings', day, needed);
  book.move('savings', 'home-account', day, needed);
  book.tradeOwn('home-account', 'mortgage', day, { units: -loan / 100, price: 100 });
  book.tradeOwn('home-account', 'home', day, { units: 1, price });
  book.value('home', day, 'price', price);
  book.fee('home-account', day, percentOf(price, 1), 'notary');
}

/** Every quarter: the interest since the last payment, to the day, and a part of the loan. */
function payMortgage(book: PersonaBook, day: Day, life: Life): void {
  const owed = -book.unitsOf('home-account', 'mortgage');
  const since = Math.max(homeDayOf(life), previousQuarterEnd(day));
  const interest = Math.trunc((owed * mortgageRate * (day - since)) / 36_500);
  const repaid = Math.min(owed, Math.trunc(homeOf(life).loan / 100 / 400));
  book.ensure('current', day, interest + repaid * 100);
  book.move('current', 'home-account', day, interest + repaid * 100);
  book.earn('coupon', 'home-account', day, { key: 'mortgage', amount: -interest });
  if (repaid > 0) book.tradeOwn('home-account', 'mortgage', day, { units: repaid, price: 100 });
}

function open(book: PersonaBook, day: Day, life: Life): void {
  const scale = scaleOf(life);
  book.flow('current', day, 18_000 * scale, 'Opening balance');
  book.flow('savings', day, 290_000 * scale, 'Opening balance');
}

function earnSalaries(book: PersonaBook, day: Day, life: Life): void {
  const years = Math.trunc((day - life.opening) / 365);
  const raised = (salary: number): number => Math.trunc(salary * scaleOf(life) * (1 + years / 50));
  book.flow('current', day, raised(7_450), 'Salary Mira');
  book.flow('current', day, raised(6_180), 'Salary Jonas');
  if (isYearly(day, 12, 25)) book.flow('current', day, raised(5_000), 'Bonus Mira');
}

/** From the savings, where the current account does not suffice. */
function pay(book: PersonaBook, day: Day, amount: number, comment: string): void {
  book.ensure('current', day, amount);
  book.flow('current', day, -amount, comment);
}

function spend(book: PersonaBook, day: Day, life: Life): void {
  const scale = scaleOf(life);
  if (weekdayOf(day) === 5) pay(book, day, scale * (480 + chance(life, 2, day, 420)), 'Everyday spending');
  if (isMonthly(day, 3)) pay(book, day, scale * 1_850, 'Insurance, energy and childcare');
  if (isYearly(day, 3, 20)) pay(book, day, scale * 17_500, 'Taxes');
}

/** Every month a fixed sum goes to the broker and into three funds, and what is left over to the savings. */
function invest(book: PersonaBook, day: Day, life: Life): void {
  const scale = scaleOf(life);
  book.ensure('current', day, 1_400 * scale);
  book.move('current', 'broker', day, 1_400 * scale);
  const cash = book.cashOf('broker');
  book.buyFor('broker', 'world-fund', day, percentOf(cash, 65));
  book.buyFor('broker', 'emerging-fund', day, percentOf(cash, 20));
  book.buyFor('broker', 'bond-fund', day, percentOf(cash, 15));
  const spare = book.cashOf('current') - 25_000 * scale;
  if (spare > 0) book.move('current', 'savings', day, spare);
}

function valueHome(book: PersonaBook, day: Day, life: Life): void {
  const quarters = Math.trunc((day - homeDayOf(life)) / 91);
  const { price } = homeOf(life);
  book.value('home', day, 'price', price + Math.trunc((price * quarters * 45) / 10_000));
}

export const youngCouple: Persona = {
  structure: (home) => ({
    legalEntities: [
      { key: 'mira', name: 'Mira Keller' },
      { key: 'jonas', name: 'Jonas Keller' },
    ],
    depositories: [{ key: 'broker-custody', name: 'Nordstern custody', legalEntity: 'mira' }],
    accounts: [
      { key: 'current', name: 'Joint current account', currency: home, legalEntity: 'mira', institution: bank },
      { key: 'savings', name: 'Savings account', currency: home, legalEntity: 'jonas', institution: bank },
      { key: 'home-account', name: 'Mortgage account', currency: home, legalEntity: 'jonas', institution: bank },
      {
        key: 'broker',
        name: 'Brokerage USD',
        currency: 'USD',
        legalEntity: 'mira',
        institution: 'Nordstern Broker',
        depository: 'broker-custody',
      },
    ],
    reportingEntities: [
      {
        key: 'household',
        name: 'Household',
        portfolios: [
          { key: 'everyday', name: 'Everyday', accounts: ['current', 'savings'] },
          { key: 'investments', name: 'Savings plan', accounts: ['broker'] },
          { key: 'real-estate', name: 'Home', accounts: ['home-account'] },
        ],
      },
    ],
    limits: [
      {
        key: 'reserve',
        fields: { kind: 'absolute', name: 'Reserve for emergencies', minAmount: '15000', filter: inClass('Cash') },
      },
    ],
  }),
  live(book, day, life) {
    if (day === life.opening) open(book, day, life);
    book.payIncome('broker', day);
    if (isMonthly(day, 25)) earnSalaries(book, day, life);
    spend(book, day, life);
    if (isMonthly(day, 1)) invest(book, day, life);
    const homeDay = homeDayOf(life);
    if (day === homeDay) buyHome(book, day, life);
    if (day > homeDay && isQuarterEnd(day)) {
      payMortgage(book, day, life);
      valueHome(book, day, life);
    }
    if (isYearly(day, 12, 30)) book.interest('savings', day, Math.trunc(book.cashOf('savings') / 160));
  },
};
