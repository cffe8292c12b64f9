// The structure of one client as reports need it: accounts and depositories, how they are grouped, and settings.

import type { Id } from '../../../kit/id.ts';
import type { CostMethod } from '../../../engine/lots/lot.ts';
import type { Coverage } from '../../../engine/history/holdings.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import type { FigureSettings } from '../../../model/structure/figure-settings.ts';

export interface ClientStructure {
  readonly client: FigureSettings & {
    readonly id: Id;
    readonly referenceCurrency: string;
    readonly accountingMethod: CostMethod;
  };
  readonly accounts: ReadonlyMap<string, ReportedAccount>;
  readonly depositories: ReadonlySet<string>;
  readonly portfolios: ReadonlyMap<string, PortfolioPlaces>;
  readonly reportingEntities: ReadonlySet<string>;
}

interface ReportedAccount {
  readonly currency: string;
  readonly isExcluded: boolean;
  readonly custodian: Id | null;
  readonly depositories: readonly Id[];
  /** The method that the custodian enforces; absent if it enforces none. */
  readonly method?: CostMethod;
}

export interface PortfolioPlaces {
  readonly reportingEntity: Id;
  readonly accounts: ReadonlySet<string>;
  readonly depositories: ReadonlySet<string>;
}

/** The reporting entity that an instrument is private to; undefined if it is shared. */
type PrivateTo = (instrument: string) => Id | undefined;

/** Says where a position lies within a reporting entity. */
export class EntityPlaces {
  readonly #structure: ClientStructure;
  readonly #portfolios: readonly (readonly [Id, PortfolioPlaces])[];
  readonly #reportingEntity: Id;
  readonly #privateTo: PrivateTo;

  constructor(structure: ClientStructure, reportingEntity: Id, privateTo: PrivateTo) {
    this.#structure = structure;
    this.#reportingEntity = reportingEntity;
    this.#privateTo = privateTo;
    this.#portfolios = [...structure.portfolios].flatMap(([id, portfolio]) =>
      portfolio.reportingEntity === reportingEntity ? [[id as Id, portfolio] as const] : [],
    );
  }

  /** A position is covered once, however many portfolios contain its account or depository. */
  readonly covers: Coverage = (key) =>
    this.#isReported(key) && this.#portfolios.some(([, one]) => isInPortfolio(key, one));

  /** The portfolios of a covered position, in the order of their ids. */
  listPortfolios(key: PositionKey): readonly Id[] {
    return this.#portfolios.flatMap(([id, one]) => (isInPortfolio(key, one) ? [id] : []));
  }

  /** Its portfolios, their accounts that are reported and their depositories, each in the order of their ids. */
  listPlaces(): Readonly<Record<'portfolios' | 'accounts' | 'depositories', readonly string[]>> {
    const accounts = this.#portfolios.flatMap(([, one]) => [...one.accounts]);
    const depositories = this.#portfolios.flatMap(([, one]) => [...one.depositories]);
    const reported = accounts.filter((id) => this.#structure.accounts.get(id)?.isExcluded !== true);
    const portfolios = this.#portfolios.map(([id]) => id);
    return {
      portfolios: sortedIds(portfolios),
      accounts: sortedIds(reported),
      depositories: sortedIds(depositories),
    };
  }

  /** The custodian of its account. */
  findCustodian({ account }: PositionKey): Id | null {
    return account === null ? null : (this.#structure.accounts.get(account)?.custodian ?? null);
  }

  #isReported({ account, instrument }: PositionKey): boolean {
    const owner = this.#privateTo(instrument);
    if (owner !== undefined && owner !== this.#reportingEntity) return false;
    return account === null || this.#structure.accounts.get(account)?.isExcluded !== true;
  }
}

function sortedIds(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)].toSorted();
}

export function isInPortfolio(
  { account, depository }: Pick<PositionKey, 'account' | 'depository'>,
  { accounts, depositories }: PortfolioPlaces,
): boolean {
  return (account !== null && accounts.has(account)) || (depository !== null && depositories.has(depository));
}
