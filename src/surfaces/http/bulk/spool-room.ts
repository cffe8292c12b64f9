// Limits the bytes of all bodies that a node receives before it works on them, and what one workspace takes of them.

import { Refusal } from '../../../kit/refusal.ts';

const retryAfterSeconds = 10;

/** The part of the room that one body takes. */
export interface SpoolShare {
  /** Refuses a body that says how long it is, before anything of it is read. */
  announce(bytes: number): void;
  /** Refuses a body that does not. */
  add(bytes: number): void;
  /** Nothing of the body is kept any more. */
  leave(): void;
}

interface Holder {
  bodies: number;
  bytes: number;
}

export class SpoolRoom {
  readonly bytesMax: number;
  #bytes = 0;
  #refused = 0;
  readonly #holders = new Map<string, Holder>();

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get refused(): number {
    return this.#refused;
  }

  /** A body of a workspace, which takes at most half of the room with several bodies: others keep room for theirs. */
  enter(workspace: string): SpoolShare {
    const holder = this.#holders.getOrInsertComputed(workspace, () => ({ bodies: 0, bytes: 0 }));
    holder.bodies++;
    let own = 0;
    let isLeft = false;
    const check = (bytes: number): void => {
      if (holder.bodies > 1 && holder.bytes + bytes > this.bytesMax / 2) {
        const detail = 'The bodies that this workspace sends at the same time take half of the room for bodies.';
        throw this.#refuse(`${detail} Send fewer at a time.`);
      }
      if (this.#bytes + bytes > this.bytesMax)
        throw this.#refuse('The bodies that are arriving take all the room of this node. Send the request again.');
    };
    return {
      announce: check,
      add: (bytes) => {
        check(bytes);
        own += bytes;
        holder.bytes += bytes;
        this.#bytes += bytes;
      },
      leave: () => {
        if (isLeft) return;
        isLeft = true;
        this.#bytes -= own;
        holder.bytes -= own;
        if (--holder.bodies === 0) this.#holders.delete(workspace);
      },
    };
  }

  #refuse(detail: string): Refusal {
    this.#refused++;
    return new Refusal('spool-full', detail, { retryAfterSeconds });
  }
}
