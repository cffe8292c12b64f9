// All profiles that are shipped with the service, in the order of their fixed ids.

import type { ImportProfile } from '../import-profile.ts';
import { bankOfAmerica } from './bank-of-america.ts';
import { capitalOne } from './capital-one.ts';
import { charlesSchwab } from './charles-schwab.ts';
import { chase } from './chase.ts';
import { comdirect } from './comdirect.ts';
import { consorsbank } from './consorsbank.ts';
import { degiro } from './degiro.ts';
import { dkb } from './dkb.ts';
import { fidelity } from './fidelity.ts';
import { finpension } from './finpension.ts';
import { interactiveBrokers } from './interactive-brokers.ts';
import { nordicBrokers } from './nordic-brokers.ts';
import { questrade } from './questrade.ts';
import { scalableCapital } from './scalable-capital.ts';
import { xtb } from './xtb.ts';
import { filesWithoutHeader } from './files-without-header.ts';
import { freetrade } from './freetrade.ts';
import { germanBank } from './german-bank.ts';
import { germanBroker } from './german-broker.ts';
import { hargreavesLansdown } from './hargreaves-lansdown.ts';
import { interactiveInvestor } from './interactive-investor.ts';
import { n26 } from './n26.ts';
import { payPal } from './paypal.ts';
import { plainProfiles } from './plain-files.ts';
import { portfolioPerformance } from './portfolio-performance.ts';
import { postFinance } from './postfinance.ts';
import { raiffeisen } from './raiffeisen.ts';
import { revolut } from './revolut.ts';
import { saxo } from './saxo.ts';
import { sharesight } from './sharesight.ts';
import { sparkasse } from './sparkasse.ts';
import { swissBank } from './swiss-bank.ts';
import { swissquote } from './swissquote.ts';
import { tradeRepublic } from './trade-republic.ts';
import { trading212 } from './trading-212.ts';
import { ubs } from './ubs.ts';
import { vanguard } from './vanguard.ts';
import { volksbank } from './volksbank.ts';
import { wise } from './wise.ts';
import { zkb } from './zkb.ts';

export { isShippedId } from './declare-profile.ts';

export const shippedProfiles: readonly ImportProfile[] = [
  ...plainProfiles,
  ...swissBank,
  ...postFinance,
  ...ubs,
  ...zkb,
  ...raiffeisen,
  ...swissquote,
  ...sparkasse,
  ...dkb,
  ...volksbank,
  ...germanBank,
  ...germanBroker,
  ...comdirect,
  ...consorsbank,
  ...n26,
  ...portfolioPerformance,
  ...charlesSchwab,
  ...fidelity,
  ...vanguard,
  ...chase,
  ...capitalOne,
  ...bankOfAmerica,
  ...tradeRepublic,
  ...degiro,
  ...trading212,
  ...hargreavesLansdown,
  ...freetrade,
  ...interactiveInvestor,
  ...saxo,
  ...revolut,
  ...wise,
  ...payPal,
  ...sharesight,
  ...finpension,
  ...interactiveBrokers,
  ...nordicBrokers,
  ...questrade,
  ...scalableCapital,
  ...xtb,
  ...filesWithoutHeader,
].toSorted((one, other) => (one.id < other.id ? -1 : 1));

const shippedById = new Map<string, ImportProfile>(shippedProfiles.map((one) => [one.id, one]));

export function findShippedProfile(id: string): ImportProfile | undefined {
  return shippedById.get(id);
}

const plainIds: ReadonlySet<string> = new Set(plainProfiles.map(({ id }) => id));

/** Whether it describes everyday names, not the export of one bank or program. */
export function isPlainProfile({ id }: ImportProfile): boolean {
  return plainIds.has(id);
}
