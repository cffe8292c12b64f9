// The texts of a page in every language, beside the page that shows them: one object per page.
// `export const holdingsTexts = defineTexts({ en: { title: 'Holdings', of: (name: string) => `of ${name}` }, de: { … } })`,
// then `holdingsTexts[reader.language].title`. German has exactly the keys and parameters of English, or it does not compile.

import type { Language } from './reader.ts';

type Text = string | ((...parameters: never[]) => string);

type Translation<T> = {
  readonly [Key in keyof T]: T[Key] extends (...parameters: infer P extends (string | number)[]) => string
    ? (...parameters: P) => string
    : string;
};

interface TextsInput<T> {
  readonly en: T & NoInfer<Translation<T>>;
  readonly de: NoInfer<Translation<T>>;
  /** Keys whose texts are rightly the same in both languages: names, "Status". */
  readonly same?: readonly NoInfer<keyof T>[];
}

export class Texts<T> {
  readonly en: Translation<T>;
  readonly de: Translation<T>;
  readonly same: readonly (keyof T)[];

  constructor({ en, de, same = [] }: { en: Translation<T>; de: Translation<T>; same?: readonly (keyof T)[] }) {
    this.en = en;
    this.de = de;
    this.same = same;
  }
}

export function defineTexts<T extends Readonly<Record<string, Text>>>(
  input: TextsInput<T>,
): Texts<T> & Readonly<Record<Language, Translation<T>>> {
  const { en, de, same = [] } = input;
  return new Texts<T>({ en, de, same });
}

/** What is wrong with texts: empty ones, and German ones that equal the English by accident. */
export function textFaults(texts: Texts<Readonly<Record<string, Text>>>): readonly string[] {
  return Object.keys(texts.en).flatMap((key) => {
    const [english, german] = [sampleOf(texts.en[key]), sampleOf(texts.de[key])];
    if (english.trim() === '' || german.trim() === '') return [`${key} is empty`];
    return english === german && !texts.same.includes(key) ? [`${key} is the same in both languages`] : [];
  });
}

/** A text with 7 for each of its parameters. */
function sampleOf(text: unknown): string {
  return typeof text === 'function' ? String(text(...Array.from({ length: text.length }, () => 7))) : String(text);
}
