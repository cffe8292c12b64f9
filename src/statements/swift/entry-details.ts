// Reads `:86:`, the information about a statement line: in subfields (`?20…`) with SEPA codes (`SVWZ+`) as German banks write it, with
// words between slashes (`/REMI/`), or as free text.

export interface EntryDetails {
  /** The business transaction code of German banks: three digits. */
  readonly germanCode?: string;
  /** The bank's word for it. */
  readonly title?: string;
  /** The other party and the purpose. */
  readonly text: string;
}

const noDetails: EntryDetails = { text: '' };

export function readEntryDetails(lines: readonly string[]): EntryDetails {
  const joined = lines.join('').trim();
  if (joined === '') return noDetails;
  const [, germanCode, separator] = /^(\d{3})([^A-Za-z0-9\s])\d{2}/.exec(joined) ?? [];
  if (germanCode !== undefined && separator !== undefined) return inSubfields(joined, germanCode, separator);
  const slashed = lines.join('');
  if (/^\/[A-Z]{2,8}\//.test(slashed)) return { text: betweenSlashes(slashed) };
  const text = spaced(lines.join(' '));
  const [code] = /^\d{3}(?!\d)/.exec(text) ?? [];
  const rest = code === undefined ? '' : text.slice(code.length).trimStart();
  return code === undefined || rest === '' ? { text } : { germanCode: code, text: rest };
}

function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** `166?00Gutschrift?20EREF+1?21SVWZ+Rent?32Name`: each begins with two digits. */
function inSubfields(joined: string, germanCode: string, separator: string): EntryDetails {
  const subfields = new Map<string, string>();
  const purposes: string[] = [];
  for (const part of joined.slice(3).split(separator)) {
    const [, number, value = ''] = /^(\d{2})(.*)$/s.exec(part) ?? [];
    if (number === undefined) {
      // The separator occurred within a text.
      if (part !== '') purposes.push(part);
    } else if (isPurpose(Number(number))) purposes.push(value);
    else subfields.set(number, (subfields.get(number) ?? '') + value);
  }
  const name = `${subfields.get('32') ?? ''}${subfields.get('33') ?? ''}`;
  const title = subfields.get('00')?.trim();
  const text = [name, purposeOf(purposes.join(''))].map(spaced).filter(Boolean).join(', ');
  return { germanCode, text, ...(title ? { title } : {}) };
}

function isPurpose(number: number): boolean {
  return (number >= 20 && number <= 29) || (number >= 60 && number <= 63);
}

const sepaCode = /(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|BIC|IBAN)\+/;

/** What is said for people: the purpose, or everything if no part is marked as the purpose. */
function purposeOf(text: string): string {
  const parts = text.split(sepaCode);
  if (parts.length === 1) return text;
  const [before = '', ...coded] = parts;
  const byCode = new Map<string, string>();
  for (let at = 0; at + 1 < coded.length; at += 2) byCode.set(coded[at]!, coded[at + 1]!.trim());
  return byCode.get('SVWZ') || before.trim() || [...byCode].map(([code, value]) => `${code} ${value}`).join(' ');
}

/** `/TRTP/SEPA/NAME/Muster AG/REMI/Rent`: values follow their words. */
function betweenSlashes(text: string): string {
  const values = new Map<string, string>();
  let word = '';
  for (const part of text.split('/')) {
    if (slashWords.has(part)) word = part;
    else if (part !== '' && word !== '') values.set(word, values.has(word) ? `${values.get(word)}/${part}` : part);
  }
  // The account, the bank and the name of the other party.
  const party = values.get('NAME') ?? values.get('CNTP')?.split('/').at(-1);
  const found = [party, ...['BENM', 'ORDP', 'REMI', 'USTD'].map((one) => values.get(one))].filter(Boolean);
  return spaced(found.length > 0 ? found.join(', ') : text.replaceAll('/', ' '));
}

const slashWords = new Set(
  (
    'TRTP IBAN BIC NAME REMI EREF USTD MARF CSID TRCD BENM ORDP CNTP PREF RTRN ISDT ID ADDR BUSP CREF TRAN STRD CDTRREF ' +
    'PURP ULTC ULTD ULTB OCMT EXCH CHGS OPRP SVCL ETDT PI BATCH ORGR CD'
  ).split(' '),
);
