// Compares the words of files: without spaces, without regard to case, and account numbers as IBANs where they are some.

/** In capitals, without spaces, in one form of each character. */
export function foldWord(word: string): string {
  return word.normalize('NFKC').toUpperCase().replaceAll(/\s/g, '');
}

/** The number that ISO 7064 takes the remainder of: letters count from 10 on. */
function remainder97(text: string): number {
  let rest = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

export function isIban(text: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && remainder97(text.slice(4) + text.slice(0, 4)) === 1;
}

/** A bank code and an account number, as German statements write them. */
const germanNumber = /^(\d{8})\/(\d{1,10})$/;

function toGermanIban(bankCode: string, number: string): string {
  const national = bankCode + number.padStart(10, '0');
  return `DE${String(98 - remainder97(`${national}DE00`)).padStart(2, '0')}${national}`;
}

/** Whether a word is a German bank code (Bankleitzahl). */
export function isBankCode(word: string): boolean {
  return /^\d{8}$/.test(foldWord(word));
}

/** An account number of a German bank without one or more of the zeros that it begins with. Elsewhere zeros count: there is none. */
export function spellingsWithoutZeros(bankCode: string, number: string): readonly string[] {
  const digits = foldWord(number);
  if (!isBankCode(bankCode) || !/^\d{1,10}$/.test(digits)) return [];
  const national = digits.padStart(10, '0');
  const zeros = national.search(/[^0]|$/);
  return Array.from({ length: zeros + 1 }, (_, left) => national.slice(left)).filter((spelling) => spelling !== '');
}

/** The one form of an account number: of two numbers with the same form, both mean the same account. Zeros count. */
export function foldNumber(number: string): string {
  const folded = foldWord(number);
  const bare = folded.replaceAll(/[-.]/g, '').replace(/^IBAN:?/, '');
  if (isIban(bare)) return bare;
  const [, bankCode, national] = germanNumber.exec(folded) ?? [];
  return bankCode === undefined || national === undefined ? folded : toGermanIban(bankCode, national);
}

/** What the number may be stored as: only digits and letters, in every form that means the same. */
export function numberKeys(number: string): readonly string[] {
  const bare = foldNumber(number).replaceAll(/[^0-9A-Z]/g, '');
  if (!bare.startsWith('DE') || !isIban(bare)) return [bare, `IBAN${bare}`];
  const [bankCode, national] = [bare.slice(4, 12), bare.slice(12)];
  const zeros = national.search(/[^0]|$/);
  const spellings = Array.from({ length: zeros + 1 }, (_, left) => bankCode + national.slice(left));
  return [bare, `IBAN${bare}`, ...spellings];
}
