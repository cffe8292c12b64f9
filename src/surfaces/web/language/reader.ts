// The reader of a page: the language of its texts, and the locale of its numbers and dates. Knows no request.
// A page: `const reader = readerOf({ acceptLanguage, chosen })`, then `const text = pageTexts[reader.language]` and
// `const formats = formatsOf(reader.locale)`.

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

export interface Reader {
  readonly language: Language;
  /** BCP 47, for Intl: also one whose texts fall back to English, such as sv. */
  readonly locale: string;
}

interface ReaderSource {
  readonly acceptLanguage?: string | undefined;
  /** What the person set for themselves; it wins over the browser. */
  readonly chosen?: { readonly language?: Language | undefined; readonly locale?: string | undefined } | undefined;
}

const headerLengthMax = 500;
const defaultLocales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de' };

export function isLanguage(text: string): text is Language {
  return languages.some((language) => language === text);
}

export function readerOf({ acceptLanguage = '', chosen = {} }: ReaderSource): Reader {
  const accepted = acceptedLocales(acceptLanguage);
  const language = chosen.language ?? accepted.map(languageOf).find(isLanguage) ?? 'en';
  const ownLocale = supportedLocale(chosen.locale ?? '');
  if (ownLocale !== undefined) return { language, locale: ownLocale };
  const fitting = chosen.language === undefined ? accepted : accepted.filter((tag) => languageOf(tag) === language);
  return { language, locale: fitting[0] ?? defaultLocales[language] };
}

const consoleAddress = /^\/console(?:[/?]|$)/;

/**
 * Who reads an address. The console is English for everybody, since its fields and refusals are those of the API; numbers and dates
 * stay those of the reader's country.
 */
export function readerAt(address: string, source: ReaderSource): Reader {
  const reader = readerOf(source);
  return consoleAddress.test(address) ? { language: 'en', locale: englishLocale(reader.locale) } : reader;
}

function englishLocale(locale: string): string {
  const { language, region } = new Intl.Locale(locale).maximize();
  if (language === 'en') return locale;
  const english = `en-${region ?? 'GB'}`;
  // Where a country has no English of its own, Intl writes that of the United States.
  return new Intl.NumberFormat(english).resolvedOptions().locale === english ? english : defaultLocales.en;
}

/** The locales of an Accept-Language header that can be formatted, the most wanted first. */
function acceptedLocales(header: string): readonly string[] {
  return header
    .slice(0, headerLengthMax)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => supportedLocale(tag))
    .filter((locale) => locale !== undefined);
}

/** The locale without extensions, which could ask for other digits and calendars. */
function supportedLocale(tag: string): string | undefined {
  try {
    const { baseName } = new Intl.Locale(tag);
    return Intl.NumberFormat.supportedLocalesOf(baseName)[0];
  } catch {
    return undefined;
  }
}

function languageOf(locale: string): string {
  return new Intl.Locale(locale).language;
}
