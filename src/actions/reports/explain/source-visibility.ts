// Decides what of an explanation's sources a reader may see. A person sees what lies in the portfolios of the reporting entities that
// they may read, and nothing that is private to others; applications see everything of the client.

import type { LedgerRows } from '../../../engine/history/ledger-rows.ts';
import type { PositionKey } from '../../../engine/ledger/position-key.ts';
import type { LedgerTransaction } from '../../../engine/ledger/transaction.ts';
import { canSeeReportingEntity, type VisibleClients } from '../../../model/access/scope.ts';
import { isInPortfolio } from '../inputs/client-structure.ts';
import type { ReportBasis } from '../report-basis.ts';

export interface SourceVisibility {
  seesInstrument(id: string): boolean;
  /** A key without a place means all of an instrument. */
  seesPosition(key: PositionKey): boolean;
  /** By its booking number. */
  seesRow(number: number): boolean;
}

const seesAll: SourceVisibility = { seesInstrument: () => true, seesPosition: () => true, seesRow: () => true };

export function sourceVisibility(basis: ReportBasis, visibleClients: VisibleClients): SourceVisibility {
  return visibleClients.kind === 'some' ? new PersonVisibility(basis, visibleClients) : seesAll;
}

type Place = Pick<PositionKey, 'account' | 'depository'>;

class PersonVisibility implements SourceVisibility {
  readonly #basis: ReportBasis;
  readonly #visibleClients: VisibleClients;
  #hiddenRows: ReadonlySet<number> | undefined;

  constructor(basis: ReportBasis, visibleClients: VisibleClients) {
    this.#basis = basis;
    this.#visibleClients = visibleClients;
  }

  seesInstrument(id: string): boolean {
    return canSeeReportingEntity(this.#visibleClients, this.#basis.privateTo.get(id) ?? null);
  }

  seesPosition(key: PositionKey): boolean {
    return this.seesInstrument(key.instrument) && this.#seesPlace(key);
  }

  seesRow(number: number): boolean {
    this.#hiddenRows ??= new Set(this.#listHiddenRows(this.#basis.history.rows));
    return !this.#hiddenRows.has(number);
  }

  *#listHiddenRows(rows: LedgerRows): Generator<number> {
    for (let index = 0; index < rows.count; index++) {
      if (!this.#isVisible(rows.transaction(index))) yield rows.numbers[index]!;
    }
  }

  /** One of its places is enough: the other side of a move belongs to what they see. */
  #isVisible({ account, depository, instrument, details }: LedgerTransaction): boolean {
    if (instrument !== null && !this.seesInstrument(instrument)) return false;
    const places: Place[] = [{ account, depository }];
    if (details?.counterPlace !== undefined) places.push(details.counterPlace);
    if (details?.counterCash !== undefined) places.push({ account: details.counterCash.account, depository: null });
    return places.some((place) => this.#seesPlace(place));
  }

  #seesPlace(place: Place): boolean {
    if (place.account === null && place.depository === null) return true;
    return [...this.#basis.structure.portfolios.values()].some(
      (one) => canSeeReportingEntity(this.#visibleClients, one.reportingEntity) && isInPortfolio(place, one),
    );
  }
}
