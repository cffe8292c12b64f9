// The characters of XML: which are allowed, what entities stand for, and how names are shown in errors.

const disallowed = new RegExp(String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]`);
const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** The characters that decide where a token begins and ends. */
export const codes = {
  lessThan: 0x3c,
  greaterThan: 0x3e,
  slash: 0x2f,
  exclamationMark: 0x21,
  questionMark: 0x3f,
  doubleQuote: 0x22,
  singleQuote: 0x27,
} as const;

/** The place of the ">" that is in no attribute value; undefined if it has not come. */
export function tagEnd(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === codes.greaterThan) return at;
    if (code !== codes.doubleQuote && code !== codes.singleQuote) continue;
    at = text.indexOf(code === codes.doubleQuote ? '"' : "'", at + 1);
    if (at < 0) return undefined;
  }
  return undefined;
}

/** Whether there is nothing but white space between two places; line ends are LF. */
export function isSpace(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x09) return false;
  }
  return true;
}

/** A control character or half a character; -1 if there is none. */
export function disallowedAt(text: string): number {
  const control = text.search(disallowed);
  if (text.isWellFormed()) return control;
  const half = text.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  return control < 0 ? half : Math.min(control, half);
}

export function entityValue(name: string): string | undefined {
  const [, hex, digits] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name) ?? [];
  if (hex === undefined && digits === undefined) return entities.get(name);
  const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  const character = String.fromCodePoint(code);
  return disallowed.test(character) ? undefined : character;
}

export function shown(name: string): string {
  return JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
}
