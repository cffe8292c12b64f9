// The mode of a node: the stricter one of what its settings say and of what the operator has set for all nodes. Threads share it.

import type { Refusal } from '../../kit/refusal.ts';
import { normalMode, refusalInMode, serviceModes, stricterMode, type ModeNotice } from './service-mode.ts';

export class OperatorMode {
  /** To be passed to another thread, which learns the mode and no words: it answers nobody by itself. */
  readonly memory: SharedArrayBuffer;
  readonly #shared: Int32Array;
  readonly #setting: ModeNotice;
  #current: ModeNotice;

  /** `memory`: that of the main thread. */
  constructor(setting: ModeNotice, memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    this.#shared = new Int32Array(this.memory);
    this.#setting = setting;
    this.#current = setting;
    if (memory === undefined) this.follow(normalMode);
  }

  /** Takes over what the operator has set for all nodes. */
  follow(stored: ModeNotice): void {
    this.#current = stricterMode(this.#setting, stored);
    Atomics.store(this.#shared, 0, serviceModes.indexOf(this.#current.mode));
  }

  get current(): ModeNotice {
    const mode = serviceModes[Atomics.load(this.#shared, 0)] ?? 'normal';
    return mode === this.#current.mode ? this.#current : { ...normalMode, mode };
  }

  /** Why nothing may be changed now, if the mode is the reason. */
  refusal(now: number): Refusal | undefined {
    return refusalInMode(this.current, now);
  }
}
