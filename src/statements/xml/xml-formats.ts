// The formats that are XML, each recognised by the name of an element that only it has.

import type { StatementFormat } from '../statement-format.ts';

export const xmlFormats: readonly StatementFormat[] = [];

/** Whether an element of this name opens in the text, with any prefix. */
export function opensElement(head: string, name: string): boolean {
  return new RegExp(`<(?:[\\w.-]+:)?${name}[\\s/>]`).test(head);
}
