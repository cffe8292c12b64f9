// HTML templates that escape every value except HTML itself, so that values cannot inject markup.

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
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

export function html(strings: TemplateStringsArray, ...parts: readonly TemplatePart[]): Html {
  return new Html(strings.reduce((before, string, index) => before + renderPart(parts[index - 1]!) + string));
}

export const emptyHtml = new Html('');
