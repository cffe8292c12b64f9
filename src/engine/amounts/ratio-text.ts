// Writes ratios in plain digits, and computes with what is written: as doubles, small differences would lose their digits.

import { greatestOf } from '../../kit/memory/long-list.ts';

/** The shortest digits that identify the double, without an exponent. */
export function exactRatioText(ratio: number): string {
  const text = String(ratio);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const digits = (whole + fraction).padStart(whole.length + fraction.length - Math.min(0, point - 1), '0');
  const at = Math.max(1, point);
  const padded = digits.padEnd(at, '0');
  const rest = padded.slice(at).replace(/(?<!0)0+$/, '');
  return (ratio < 0 ? '-' : '') + padded.slice(0, at) + (rest && `.${rest}`);
}

/** 1 + a decimal, exactly. */
export function onePlus(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const scale = 10n ** BigInt(fraction.length);
  const magnitude = BigInt(whole + fraction);
  const sum = scale + (decimal.startsWith('-') ? -magnitude : magnitude);
  const digits = String(sum < 0n ? -sum : sum).padStart(fraction.length + 1, '0');
  const at = digits.length - fraction.length;
  const rest = digits.slice(at).replace(/(?<!0)0+$/, '');
  return (sum < 0n ? '-' : '') + digits.slice(0, at) + (rest && `.${rest}`);
}

/** The difference of two ratios as they are written, rounded once: as doubles, what each was rounded by would be left of it. */
export function ratioDifference(one: number, other: number): number {
  const [first, second] = [one, other].map((ratio) => exactRatioText(ratio));
  const places = greatestOf([first!, second!].map((text) => text.split('.')[1]?.length ?? 0));
  const scaled = (text: string): bigint => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(places, '0'));
  };
  return Number(`${scaled(first!) - scaled(second!)}e-${places}`);
}
