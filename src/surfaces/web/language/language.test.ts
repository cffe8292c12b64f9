// Tests who reads a page in which language, and that figures are written exactly, as the reader's locale writes them.

import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { productionFiles, readText } from '../../../../tests/setup/repository/repository-text.ts';
import { divideRounded, toFixed } from '../../../kit/fixed.ts';
import { parseDecimal } from '../../../kit/decimal.ts';
import { formatsOf } from './formats.ts';
import { readerAt, readerOf } from './reader.ts';
import { defineTexts, textFaults, Texts } from './texts.ts';

describe('reader', () => {
  test.each([
    ['de-CH,de;q=0.9,en;q=0.8', { language: 'de', locale: 'de-CH' }],
    ['en-GB', { language: 'en', locale: 'en-GB' }],
    ['sv', { language: 'en', locale: 'sv' }],
    ['sv,de;q=0.5', { language: 'de', locale: 'sv' }],
    ['de;q=0.1, en-US', { language: 'en', locale: 'en-US' }],
    ['de;q=0', { language: 'en', locale: 'en-GB' }],
    ['de-u-nu-arab', { language: 'de', locale: 'de' }],
    ['*, ;;q=x, !!', { language: 'en', locale: 'en-GB' }],
    ['', { language: 'en', locale: 'en-GB' }],
  ])('a browser that asks for %j', (acceptLanguage, reader) => expect(readerOf({ acceptLanguage })).toEqual(reader));

  test('a person who chose German reads German dates in an English browser', () => {
    expect(readerOf({ acceptLanguage: 'en-GB', chosen: { language: 'de' } })).toEqual({ language: 'de', locale: 'de' });
    expect(readerOf({ acceptLanguage: 'en-GB,de-AT;q=0.5', chosen: { language: 'de' } }).locale).toBe('de-AT');
    expect(readerOf({ chosen: { language: 'en', locale: 'de-CH' } })).toEqual({ language: 'en', locale: 'de-CH' });
  });
});

test.each([
  ['de-CH', 'en-CH', "−1'234.50", '3 Oct'],
  ['de', 'en-DE', '−1.234,50', '3 Oct'],
  ['sv', 'en-SE', '−1\u00A0234,50', '3 Oct'],
  ['en-US', 'en-US', '−1,234.50', 'Oct 3'],
  ['pt-BR', 'en-GB', '−1,234.50', '3 Oct'],
])('the console is English, with the numbers and dates of the country of %s', (acceptLanguage, locale, money, day) => {
  const source = { acceptLanguage, chosen: { language: 'de' } } as const;
  const reader = readerAt('/console/clients?q=a', { acceptLanguage });
  expect(reader).toEqual({ language: 'en', locale });
  expect([formatsOf(locale).money('-1234.5'), formatsOf(locale).dayMonth('2026-10-03')]).toEqual([money, day]);
  expect(readerAt('/console', source).language).toBe('en');
  expect(readerAt('/consoles', source).language).toBe('de');
});

describe('texts', () => {
  test('German has the keys and parameters of English', () => {
    const texts = defineTexts({
      en: { title: 'Holdings', of: (count: number) => `${count} of them` },
      de: { title: 'Bestände', of: (count) => `${count} davon` },
    });
    expect(texts.de.of(3)).toBe('3 davon');
    // @ts-expect-error -- German lacks a text.
    defineTexts({ en: { title: 'Holdings', more: 'More' }, de: { title: 'Bestände' } });
    // @ts-expect-error -- German has a text that English lacks.
    defineTexts({ en: { title: 'Holdings' }, de: { title: 'Bestände', more: 'Mehr' } });
    // @ts-expect-error -- German takes a number where English takes a string.
    defineTexts({ en: { of: (name: string) => name }, de: { of: (count: number) => count.toFixed() } });
  });

  test('empty texts and texts that were not translated are found', () => {
    const en = { a: 'A', b: 'Status', c: 'Same', d: (count: number) => `${count} rows` };
    const texts = defineTexts({ en, de: { ...en, a: ' ' }, same: ['b'] });
    expect(textFaults(texts)).toEqual([
      'a is empty',
      'c is the same in both languages',
      'd is the same in both languages',
    ]);
  });

  const textFiles = productionFiles.filter(
    (path) => path.startsWith('src/') && !path.endsWith('/texts.ts') && readText(path).includes('defineTexts('),
  );
  test('every page has all its texts in English and German', async () => {
    for (const path of textFiles) {
      const exported = Object.values(await import(/* @vite-ignore */ resolve(path))).filter(
        (value) => value instanceof Texts,
      );
      expect({ path, exportsTexts: exported.length > 0 }).toEqual({ path, exportsTexts: true });
      expect({ path, faults: exported.flatMap(textFaults) }).toEqual({ path, faults: [] });
    }
  });
});

describe('formats', () => {
  const [british, german, swiss, swedish] = ['en-GB', 'de', 'de-CH', 'sv'].map(formatsOf) as [
    ReturnType<typeof formatsOf>,
    ReturnType<typeof formatsOf>,
    ReturnType<typeof formatsOf>,
    ReturnType<typeof formatsOf>,
  ];

  test('are kept for each locale, of the last two hundred at most: readers may send any', () => {
    const first = formatsOf('en-GB');
    expect(formatsOf('en-GB')).toBe(first);
    const letters = [...'ABCDEFGHIJKLMNO'];
    const others = letters.flatMap((one) => letters.map((other) => `en-${one}${other}`)).slice(0, 200);
    const made = others.map(formatsOf);
    expect(formatsOf(others.at(-1)!)).toBe(made.at(-1));
    const again = formatsOf('en-GB');
    expect([again === first, again.money('1234.5')]).toEqual([false, '1,234.50']);
  });

  test('money has the digits of its currency, two without one', () => {
    expect(british.money('78720099.605', 'CHF')).toBe('78,720,099.60');
    expect(british.money('1234.5', 'JPY')).toBe('1,234');
    expect(british.money('1.0005', 'BHD')).toBe('1.000');
    expect(british.money('2', 'XAU')).toBe('2.00');
    expect(german.money('-1234.5')).toBe('−1.234,50');
    expect(swiss.money('1234567.8')).toBe("1'234'567.80");
    expect(british.money('99999999999999999999.125', 'EUR')).toBe('99,999,999,999,999,999,999.12');
    expect(british.moneyWithCode('-5', 'CHF')).toBe('−CHF\u00A05.00');
    expect(british.money(null)).toBe('–');
  });

  test('signs are + and the minus sign; what rounds to nothing has none', () => {
    expect(british.signedMoney('101940.22')).toBe('+101,940.22');
    expect(british.signedMoney('-0.004')).toBe('0.00');
    expect(british.money('-0.004')).toBe('0.00');
    expect(british.percent('0.091')).toBe('+9.10%');
    expect(german.percent('-0.000749')).toBe('−0,07\u00A0%');
    expect(swedish.percent('-0.5')).toBe('−50,00\u00A0%');
    expect(british.share('0.125')).toBe('12.5%');
    expect(british.signedNumber('1234.565')).toBe('+1,234.56');
    expect(swiss.signedNumber('-1234.5', 0)).toBe("−1'234");
    expect(german.signedNumber('0.0049')).toBe('0,00');
    expect(british.signedNumber(null)).toBe('–');
  });

  test('quantities keep all their digits', () => {
    expect(british.quantity('1234.000000000000000001')).toBe('1,234.000000000000000001');
    expect(british.quantity('20')).toBe('20');
  });

  test('axes are short', () => {
    expect(british.compact('70000000')).toBe('70\u00A0m');
    expect(german.compact('72500000')).toBe('72,5\u00A0Mio.');
    expect(british.compact('-1500')).toBe('−1.5\u00A0k');
  });

  test('dates are written as the locale writes them', () => {
    expect(british.dateLong('2026-10-30')).toBe('30 October 2026');
    expect(german.dateLong('2026-10-30')).toBe('30. Oktober 2026');
    expect(british.dateShort('2026-10-30')).toBe('30 Oct 2026');
    expect(german.month('2026-10-30')).toBe('Oktober 2026');
    expect(british.dayMonth('2026-10-03')).toBe('3 Oct');
    expect(german.dayMonth('2026-10-03')).toBe('3. Okt.');
    expect(british.dayMonth(null)).toBe('–');
    expect(british.datetime('2026-10-30T23:30:00Z', 'Europe/Zurich')).toBe('31 Oct 2026, 00:30 CET');
    expect(british.dateLong(null)).toBe('–');
    expect(german.currencyName('CHF')).toBe('Schweizer Franken');
  });

  const decimals = fc
    .tuple(fc.bigInt({ min: 1n - 10n ** 20n, max: 10n ** 20n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }))
    .map(([whole, fraction]) => parseDecimal(`${whole}.${String(fraction).padStart(18, '0').slice(0, 18)}`));

  test('what is written is the value rounded half to even, in every locale, percent too', () => {
    fc.assert(
      fc.property(decimals, fc.constantFrom(british, german, swiss, swedish), (value, formats) => {
        expect(parseHundredths(formats.money(value))).toBe(divideRounded(toFixed(value), 10n ** 16n));
        expect(parseHundredths(formats.percent(value))).toBe(divideRounded(toFixed(value), 10n ** 14n));
      }),
      { numRuns: 100 },
    );
  });

  function parseHundredths(text: string): bigint {
    const digits = BigInt(text.replaceAll(/\D/g, ''));
    return text.startsWith('−') ? -digits : digits;
  }
});
