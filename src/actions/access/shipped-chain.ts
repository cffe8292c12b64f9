// Checks lines that were shipped, without the database: that no number is missing, that each link follows the one before, and, with the key, that each line says
// what its link was made of. Lines may come in any order and several times, from several files: two nodes ship in turn, and what was not acknowledged comes again.

import type { ShippedLog } from '../../model/operations/shipped-log.ts';
import { isLink, type KnownEnd, type Keys } from './audit-chain.ts';
import { NoShippedLine, readShippedLine, type ReadLine } from './shipped-line.ts';

/** How many faults are listed. */
const faultsMax = 100;

/** Of a link's hash (HMAC-SHA-256). */
const hashBytes = 32;
/** Numbers that are kept together: little for a file whose numbers are far apart, and few objects for one without gaps. */
const pageNumbers = 64;

const seen = 1;
const known = 2;

/** The hashes of some numbers that follow each other; one of a number that was not seen is known from the line after it. */
interface Page {
  readonly states: Uint8Array;
  readonly hashes: Buffer;
}

/** The numbers of a log that were seen, and the hashes of its links: 33 bytes for each line. */
class SeenNumbers {
  readonly #pages = new Map<number, Page>();
  count = 0;
  last = 0;

  /** Returns whether the number was seen before. */
  add(number: number): boolean {
    const { states } = this.#pageOf(number);
    const state = states[number % pageNumbers]!;
    if ((state & seen) !== 0) return true;
    states[number % pageNumbers] = state | seen;
    this.count++;
    this.last = Math.max(this.last, number);
    return false;
  }

  /** Returns the hash that the number is known to have, if it is another one. */
  putHash(number: number, hash: Buffer): string | undefined {
    const { states, hashes } = this.#pageOf(number);
    const slot = number % pageNumbers;
    const at = slot * hashBytes;
    if ((states[slot]! & known) === 0) {
      states[slot]! |= known;
      hash.copy(hashes, at);
      return undefined;
    }
    const present = hashes.subarray(at, at + hashBytes);
    return present.equals(hash) ? undefined : present.toString('hex');
  }

  hashOf(number: number): string | undefined {
    const page = this.#pages.get(Math.floor(number / pageNumbers));
    const slot = number % pageNumbers;
    if (page === undefined || (page.states[slot]! & known) === 0) return undefined;
    return page.hashes.toString('hex', slot * hashBytes, (slot + 1) * hashBytes);
  }

  has(number: number): boolean {
    const page = this.#pages.get(Math.floor(number / pageNumbers));
    return page !== undefined && (page.states[number % pageNumbers]! & seen) !== 0;
  }

  /** The first number that was seen, and the gaps after it; at most some. */
  findGaps(max: number): { readonly first: number; readonly gaps: readonly (readonly [from: number, to: number])[] } {
    const gaps: (readonly [number, number])[] = [];
    let [first, previous] = [0, 0];
    for (const page of [...this.#pages.keys()].toSorted((one, other) => one - other)) {
      for (let number = page * pageNumbers; number < (page + 1) * pageNumbers; number++) {
        if (!this.has(number)) continue;
        if (first === 0) first = number;
        else if (number !== previous + 1 && gaps.length < max) gaps.push([previous + 1, number - 1]);
        previous = number;
      }
    }
    return { first, gaps };
  }

  #pageOf(number: number): Page {
    const key = Math.floor(number / pageNumbers);
    const present = this.#pages.get(key);
    if (present !== undefined) return present;
    const page = { states: new Uint8Array(pageNumbers), hashes: Buffer.alloc(pageNumbers * hashBytes) };
    this.#pages.set(key, page);
    return page;
  }
}

/** What was found of one log of one workspace and environment. */
export interface ShippedReport {
  readonly log: ShippedLog;
  /** `workspace/environment` */
  readonly tenantName: string;
  readonly lineCount: number;
  /** Lines that came again. */
  readonly repeatedCount: number;
  readonly first: number;
  readonly last: number;
  /** Of the last link, in hexadecimal digits; undefined for the request log. */
  readonly lastHash: string | undefined;
  readonly faults: readonly string[];
}

interface LogState {
  readonly log: ShippedLog;
  readonly tenantName: string;
  readonly numbers: SeenNumbers;
  repeatedCount: number;
  readonly faults: string[];
}

export class ShippedChain {
  readonly #keys: Keys | undefined;
  readonly #logs = new Map<string, LogState>();
  /** Texts that are no lines, with where they are. */
  readonly unreadable: string[] = [];
  unreadableCount = 0;

  /** Without keys, hashes are compared with each other and not computed again. */
  constructor(keys: Keys | undefined) {
    this.#keys = keys;
  }

  /** `place` says where the text is, for whoever looks for it. */
  add(text: string, place: string): void {
    try {
      this.#add(readShippedLine(text));
    } catch (error) {
      if (!(error instanceof NoShippedLine)) throw error;
      this.unreadableCount++;
      if (this.unreadable.length < faultsMax) this.unreadable.push(`${place} is no line of a log: ${error.message}.`);
    }
  }

  #add(line: ReadLine): void {
    const state = this.#stateOf(line);
    const { numbers } = state;
    if (numbers.add(line.number)) state.repeatedCount++;
    if (line.log === 'requests') return;
    const { number, hash, previousHash, chained } = line;
    const other = numbers.putHash(number, hash);
    if (other !== undefined)
      report(state, `Link ${number} has the hash ${hash.toString('hex')} in one line and ${other} by another.`);
    const before = number === 1 ? undefined : numbers.putHash(number - 1, previousHash);
    if (before !== undefined)
      report(
        state,
        `Link ${number} follows the hash ${previousHash.toString('hex')}, but link ${number - 1} has ${before}.`,
      );
    if (chained.line === null)
      report(state, `Link ${number}: the line ${chained.entryId} was missing when it was shipped.`);
    else if (this.#keys !== undefined && !isLink(this.#keys, chained, { previous: previousHash, hash }))
      report(state, `Link ${number}: the line ${chained.entryId} was changed.`);
  }

  #stateOf({ log, tenant: { workspaceId, environment } }: ReadLine): LogState {
    const tenantName = `${workspaceId}/${environment}`;
    return this.#logs.getOrInsertComputed(`${log} ${tenantName}`, () => ({
      log,
      tenantName,
      numbers: new SeenNumbers(),
      repeatedCount: 0,
      faults: [],
    }));
  }

  /** `knownEnds` are ends that verifications have printed, by `workspace/environment`: each must be among the lines. */
  finish(knownEnds: readonly (KnownEnd & { readonly tenantName: string })[]): readonly ShippedReport[] {
    const states = [...this.#logs.values()].toSorted((one, other) =>
      `${one.tenantName} ${one.log}` < `${other.tenantName} ${other.log}` ? -1 : 1,
    );
    return states.map((state) => {
      const { log, tenantName, numbers, repeatedCount, faults } = state;
      const { first, gaps } = numbers.findGaps(faultsMax);
      for (const [from, to] of gaps)
        report(state, from === to ? `Line ${from} is missing.` : `Lines ${from} to ${to} are missing.`);
      const ends = log === 'audit' ? knownEnds.filter((end) => end.tenantName === tenantName) : [];
      for (const end of ends) {
        const hash = numbers.hashOf(end.number);
        if (hash === undefined && end.number >= first)
          report(state, `Link ${end.number}, which was there before, was not shipped.`);
        if (hash !== undefined && hash !== end.hash)
          report(state, `Link ${end.number} had the hash ${end.hash} before.`);
      }
      const { count, last } = numbers;
      return { log, tenantName, lineCount: count, repeatedCount, first, last, lastHash: numbers.hashOf(last), faults };
    });
  }
}

function report({ faults }: LogState, fault: string): void {
  if (faults.length < faultsMax) faults.push(fault);
}
