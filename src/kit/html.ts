// HTML templates that escape every value except HTML itself, so that values cannot inject markup.

export class Html {
  #text: string | undefined;
  readonly #draw: (() => string) | undefined;

  /** What is given as a function is drawn when its text is first asked for, and never if nobody asks. */
  constructor(text: string | (() => string)) {
    if (typeof text === 'string') this.#text = text;
    else this.#draw = text;
  }

  get isDrawn(): boolean {
    return this.#text !== undefined;
  }

  get text(): string {
    return (this.#text ??= this.#draw?.() ?? '');
  }
}

type TemplatePart = string | number | Html | readonly Html[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
}

function renderPart(part: TemplatePart): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escapeHtml(String(part));
}

function isDrawn(part: TemplatePart): boolean {
  if (part instanceof Html) return part.isDrawn;
  return typeof part !== 'object' || part.every((one) => one.isDrawn);
}

/** Drawn at once, unless a part of it is not drawn yet. */
export function html(strings: TemplateStringsArray, ...parts: readonly TemplatePart[]): Html {
  const draw = (): string => strings.reduce((before, string, index) => before + renderPart(parts[index - 1]!) + string);
  return new Html(parts.every(isDrawn) ? draw() : draw);
}

export const emptyHtml = new Html('');
