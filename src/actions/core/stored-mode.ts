// The mode that the operator sets for all nodes, as it is stored, and how a node follows it.

import { isJsonObject, parseJson, type Json } from '../../kit/json.ts';
import { normalMode, serviceModes, type ModeNotice } from '../../model/operations/service-mode.ts';
import type { AppContext } from './context.ts';

export function writeStoredMode({ mode, message, until }: ModeNotice): string {
  return JSON.stringify({ mode, message, until: until === null ? null : new Date(until).toISOString() });
}

/** Another release, or a person with another tool, may have written anything: what is no mode is none. */
export function parseStoredMode(text: string | null): ModeNotice {
  const value = parsed(text ?? '');
  const mode = isJsonObject(value) ? serviceModes.find((one) => one === value['mode']) : undefined;
  if (!isJsonObject(value) || mode === undefined) return normalMode;
  const { message, until } = value;
  const at = typeof until === 'string' ? Date.parse(until) : Number.NaN;
  return { mode, message: typeof message === 'string' ? message : null, until: Number.isNaN(at) ? null : at };
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** While the database does not answer, a node stays in the mode in which it was. */
export async function followOperatorMode({
  stores,
  operatorMode,
}: Pick<AppContext, 'stores' | 'operatorMode'>): Promise<void> {
  const stored = await stores.readOperatorMode().catch(() => undefined);
  if (stored !== undefined) operatorMode.follow(parseStoredMode(stored));
}
