// Books the reference portfolio through the API: a client whose figures are published. All records keep their published names.

import type { Caller, Reply } from '../http/caller.ts';
import type {
  CashText,
  DatedText,
  ReferenceFacts,
  ReferenceInstrument,
  ReferenceTransaction,
  UnitsText,
} from './reference-portfolio.ts';
import { cashId } from '../instruments/built-in-ids.ts';

type Fields = Readonly<Record<string, unknown>>;

const typesByKind: Readonly<Record<string, string>> = {
  fx: 'fx-trade',
  'capital-call': 'drawing',
  redemption: 'maturity',
  distribution: 'private-equity-cashflow',
};

const instrumentTypes: Readonly<Record<ReferenceInstrument['type'], string>> = {
  bond: 'bond-instrument',
  fund: 'mutual-fund-instrument',
  listed: 'stock-instrument',
  'private-fund': 'private-market-fund',
};

export class ReferenceClient {
  readonly #caller: Caller;
  readonly #facts: ReferenceFacts;
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, string>();

  private constructor(caller: Caller, facts: ReferenceFacts) {
    this.#caller = caller;
    this.#facts = facts;
  }

  static async book(caller: Caller, facts: ReferenceFacts): Promise<ReferenceClient> {
    const client = new ReferenceClient(caller, facts);
    await client.#makeStructure();
    await client.#makeMarket();
    for (const upload of facts.uploads) await client.#upload(upload);
    for (const row of facts.transactions) await client.#bookTransaction(row as ReferenceTransaction & Fields);
    return client;
  }

  /** The id of an account, a depository, a portfolio, an instrument, a class (`class Equities`) or a row (`row 7`). */
  id(name: string): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`The reference portfolio has no ${name}.`);
    return id;
  }

  /** Replaces the ids in an answer with the names of their records. */
  withNames<T>(answer: T): T {
    let text = JSON.stringify(answer);
    for (const [id, name] of this.#names) text = text.replaceAll(id, name);
    return JSON.parse(text);
  }

  async #make(name: string, plural: string, fields: object): Promise<string> {
    return this.#register(name, (await this.#post(`/v1/${plural}`, fields)).body.id);
  }

  #register(name: string, id: string): string {
    this.#ids.set(name, id);
    this.#names.set(id, name);
    return id;
  }

  async #makeStructure(): Promise<void> {
    for (const currency of ['EUR', 'USD']) this.#register(`cash:${currency}`, cashId(currency));
    const { settings, structure } = this.#facts;
    const { referenceCurrency: reference_currency, costMethod: accounting_method } = settings;
    const client_id = await this.#make('client', 'clients', { name: 'Harbour', reference_currency, accounting_method });
    const entity_id = await this.#make('family', 'legal-entities', { name: 'Family', client_id });
    for (const { id, currency } of structure.accounts) {
      await this.#make(id, 'accounts', { entity_id, currency, name: `Account ${id}` });
    }
    const ids = (names: readonly string[]): string[] => names.map((name) => this.id(name));
    for (const { id, accounts } of structure.depositories) {
      await this.#make(id, 'depositories', {
        legal_entity_id: entity_id,
        name: `Depository ${id}`,
        account_ids: ids(accounts),
      });
    }
    const reporting_entity_id = await this.#make('all', 'reporting-entities', { client_id, name: 'All' });
    for (const { id, accounts, depositories } of structure.portfolios) {
      const places = { account_ids: ids(accounts), depository_ids: ids(depositories) };
      await this.#make(id, 'portfolios', { reporting_entity_id, name: `Portfolio ${id}`, ...places });
    }
  }

  async #makeMarket(): Promise<void> {
    const { instruments, rates, settings } = this.#facts;
    await this.#findClass('Cash');
    for (const one of instruments) {
      const instrument_class_id = await this.#classOf(one.class, settings.staleAfterDays);
      const fields = {
        ...termsOf(one),
        type: instrumentTypes[one.type],
        name: `Instrument ${one.id}`,
        currency: one.currency,
      };
      await this.#make(one.id, 'instruments', { ...fields, instrument_class_id });
      await this.#points(one.id, 'prices', one.prices ?? []);
      await this.#points(one.id, 'net-asset-values', one.netAssetValues ?? []);
    }
    for (const { base, quote, points } of rates) {
      for (const [date, rate] of points) await this.#post('/v1/fx-rates', { base, quote, date, rate });
    }
  }

  async #findClass(name: string): Promise<string> {
    const { body } = await this.#caller.get(`/v1/instrument-classes?name=${encodeURIComponent(name)}`);
    return this.#register(`class ${name}`, body.data.find((one: Fields) => one['parent_id'] === null).id);
  }

  /** The root classes exist from the beginning. */
  async #classOf(
    [root = '', below]: readonly string[],
    { listed, fund, private: unlisted }: StaleAfterDays,
  ): Promise<string> {
    const staleness_days = root === 'Private markets' ? unlisted : listed;
    const parent_id = this.#ids.get(`class ${root}`) ?? (await this.#findClass(root));
    await this.#caller.patch(`/v1/instrument-classes/${parent_id}`, { staleness_days });
    if (below === undefined) return parent_id;
    const days = below === 'Funds' ? fund : listed;
    return this.#make(`class ${below}`, 'instrument-classes', { name: below, parent_id, staleness_days: days });
  }

  async #points(instrument: string, series: string, points: readonly DatedText[]): Promise<void> {
    for (const [date, value] of points) {
      await this.#post(`/v1/instruments/${this.id(instrument)}/${series}`, { date, value });
    }
  }

  async #upload(text: CashText | UnitsText): Promise<void> {
    const { kind, day: date, marketValue: market_value } = text;
    if (text.kind === 'account') {
      await this.#post('/v1/historical-holdings', { kind, date, market_value, account_id: this.id(text.account) });
      return;
    }
    await this.#post('/v1/historical-holdings', {
      kind,
      date,
      market_value,
      units: text.units,
      accrued_interest: text.accruedInterest,
      currency_exchange_rate: text.currencyExchangeRate,
      reporting_currency_code: text.reportingCurrency,
      depository_id: this.id(text.depository),
      instrument_id: this.id(text.instrument),
    });
  }

  async #bookTransaction(row: ReferenceTransaction & Fields): Promise<void> {
    const { account, depository, instrument, counterCash, action } = row;
    const fields = {
      type: typeOf(row),
      date: row.day,
      amount: row.amount,
      quantity: row.quantity?.replace('-', ''),
      price: row.price,
      fees: row['fees'],
      taxes: row.withholding,
      accrued_interest: row.accrued,
      exchange_rate: row['exchangeRate'],
      recallable_amount: row.recallable,
      category: row.category,
      account_id: account && this.id(account),
      depository_id: depository && this.id(depository),
      instrument_id: instrument && this.id(instrument),
      counter_amount: counterCash?.amount,
      counter_currency: counterCash?.currency,
      counter_account_id: counterCash && this.id(counterCash.account),
      action: action?.action,
      ratio: action && `${action.ratio.numerator}:${action.ratio.denominator}`,
    };
    this.#register(`row ${row.row}`, (await this.#post('/v1/transactions', fields)).body.id);
  }

  async #post(path: string, body: object): Promise<Reply> {
    const reply = await this.#caller.post(path, body);
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return reply;
  }
}

type StaleAfterDays = ReferenceFacts['settings']['staleAfterDays'];

function typeOf({ kind, quantity, amount }: ReferenceTransaction): string {
  if (kind === 'trade') return quantity!.startsWith('-') ? 'sell' : 'buy';
  if (kind === 'flow') return amount!.startsWith('-') ? 'withdrawal' : 'deposit';
  return typesByKind[kind] ?? kind;
}

function termsOf({ bond, commitment }: ReferenceInstrument): Fields {
  if (bond === undefined) return commitment === undefined ? {} : { commitment };
  return {
    coupon: bond.rate,
    maturity: bond.maturity,
    day_count_convention: bond.convention,
    coupon_frequency: bond.frequency,
    dated_date: bond.datedDate,
  };
}
