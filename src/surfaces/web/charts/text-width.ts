// How wide a text is at most, without a browser: by the widest common font, so that labels that fit here fit everywhere.

const narrow = /[\s.,:;'’|!iljIt()[\]/-]/;
const broad = /[mwMW@%‰…]/;
const capital = /\p{Lu}/u;
const small = /[\p{Ll}\p{N}–−+]/u;

/** In the units of the font size. */
export function textWidth(text: string, fontSize: number): number {
  return [...text].reduce((sum, character) => sum + letterWidth(character), 0) * fontSize;
}

function letterWidth(character: string): number {
  if (narrow.test(character)) return 0.43;
  if (broad.test(character)) return 1;
  if (capital.test(character)) return 0.8;
  return small.test(character) ? 0.65 : 1;
}

/** The text, or as much of it as fits with an ellipsis behind it. */
export function fittingText(text: string, { room, fontSize }: { room: number; fontSize: number }): string {
  if (textWidth(text, fontSize) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && textWidth(`${letters.join('')}…`, fontSize) > room) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}
