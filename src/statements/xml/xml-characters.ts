// The characters of XML: which are allowed, what entities stand for, and how names are shown in errors.

const disallowed = new RegExp(String.raw`[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]`);
const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

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
