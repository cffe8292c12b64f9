// Shapes of what is answered and never sent: figures with names, as each wire writes them, and the schema of that. Knows no
// resource and no domain word.

import { fromDayNumber } from './calendar-date.ts';
import type { Day } from './day.ts';
import type { DecimalStyle, JsonSchema, NameStyle } from './field.ts';
import { fixedText, type Fixed } from './fixed.ts';
import { formatInstant } from './instant.ts';
import { rawNumber, writeJson } from './json.ts';
import { snakeCase } from './resource.ts';

/** How a wire writes. */
export interface WritingStyle {
  readonly decimals: DecimalStyle;
  readonly names: NameStyle;
}

export interface Shape<T> {
  write(value: T, style: WritingStyle): unknown;
  /** What `write` gives as JSON, without an object in between: for rows of which there are many. */
  text?(value: T, style: WritingStyle): string;
  schema(style: WritingStyle): JsonSchema;
}

/** What a shape is made of. */
export type ShapeValue<S> = S extends Shape<infer T> ? T : never;

/** The JSON of a value, to the byte what `write` would come to. */
export function shapeText<T>(shape: Shape<T>, value: T, style: WritingStyle): string {
  return shape.text === undefined ? writeJson(shape.write(value, style)) : shape.text(value, style);
}

function plainShape<T>(schema: JsonSchema, write: (value: T) => unknown = (value) => value): Shape<T> {
  return { write, schema: () => schema };
}

export const textShape: Shape<string> = plainShape({ type: 'string' });
export const booleanShape: Shape<boolean> = plainShape({ type: 'boolean' });
export const integerShape: Shape<number> = plainShape({ type: 'integer' });
export const dateShape: Shape<Day> = plainShape({ type: 'string', format: 'date' }, fromDayNumber);
export const instantShape: Shape<number> = plainShape({ type: 'string', format: 'date-time' }, instantText);

let lastInstant = { instant: 0, text: formatInstant(0) };

/** All rows of a report name the same one. */
function instantText(instant: number): string {
  if (lastInstant.instant !== instant) lastInstant = { instant, text: formatInstant(instant) };
  return lastInstant.text;
}

export function enumShape<const W extends string>(words: readonly W[]): Shape<W> {
  return plainShape({ type: 'string', enum: words });
}

/** Exact, with all its digits. */
export const amountShape: Shape<Fixed> = {
  write: (value, { decimals }) => (decimals === 'number' ? rawNumber(fixedText(value)) : fixedText(value)),
  text: (value, { decimals }) => (decimals === 'number' ? fixedText(value) : `"${fixedText(value)}"`),
  schema: ({ decimals }) => (decimals === 'number' ? { type: 'number' } : { type: 'string', format: 'decimal' }),
};

/** A double: returns, rates, shares. */
export const ratioShape: Shape<number> = {
  write: (value, { decimals }) => (decimals === 'number' ? value : ratioText(value)),
  schema: amountShape.schema,
};

/** The shortest decimal that names the double, without an exponent. */
export function ratioText(value: number): string {
  const [text, size] = [String(value), Math.abs(value)];
  // Only beyond these has it an exponent: to look at the text for one takes longer.
  if ((size >= 1e-6 && size < 1e21) || !text.includes('e')) return text;
  const [digits = '', exponent] = text.split('e');
  const [whole = '', part = ''] = digits.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const all = (whole + part).padEnd(point, '0');
  const sign = value < 0 ? '-' : '';
  return point <= 0 ? `${sign}0.${'0'.repeat(-point)}${all}` : `${sign}${all.slice(0, point)}`;
}

export function nullableShape<T>(shape: Shape<T>): Shape<T | null> {
  return {
    write: (value, style) => (value === null ? null : shape.write(value, style)),
    text: (value, style) => (value === null ? 'null' : shapeText(shape, value, style)),
    schema: (style) => {
      const { type, ...rest } = shape.schema(style);
      return { ...rest, type: [type, 'null'], ...('enum' in rest ? { enum: [...(rest['enum'] as []), null] } : {}) };
    },
  };
}

export function arrayShape<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    write: (value, style) => value.map((one) => item.write(one, style)),
    text: (value, style) => `[${value.map((one) => shapeText(item, one, style)).join(',')}]`,
    schema: (style) => ({ type: 'array', items: item.schema(style) }),
  };
}

export interface ShapeMember<T> {
  readonly shape: Shape<T>;
  readonly description: string;
}

type ShapeMembers = Readonly<Record<string, ShapeMember<any>>>;
export type ShapeMembersValue<M extends ShapeMembers> = { readonly [N in keyof M]: ShapeValue<M[N]['shape']> };

export function shapeMember<T>(shape: Shape<T>, description: string): ShapeMember<T> {
  return { shape, description };
}

/** An object with all of these members, in this order. */
export function objectShape<const M extends ShapeMembers>(members: M): Shape<ShapeMembersValue<M>> {
  const declared = Object.entries<ShapeMember<any>>(members).map(([name, { shape, description }]) => {
    const snakeName = snakeCase(name);
    return {
      name,
      snakeName,
      shape,
      description,
      prefix: { camel: `${writeJson(name)}:`, snake: `${writeJson(snakeName)}:` },
    };
  });
  const nameInStyle = ({ names }: WritingStyle, { name, snakeName }: { name: string; snakeName: string }): string =>
    names === 'camel' ? name : snakeName;
  return {
    write(value, style) {
      const written: Record<string, unknown> = {};
      for (const one of declared) written[nameInStyle(style, one)] = one.shape.write(value[one.name as keyof M], style);
      return written;
    },
    text(value, style) {
      let text = '';
      for (const one of declared) {
        text += text === '' ? '{' : ',';
        text += one.prefix[style.names] + shapeText(one.shape, value[one.name as keyof M], style);
      }
      return text === '' ? '{}' : `${text}}`;
    },
    schema: (style) => ({
      type: 'object',
      required: declared.map((one) => nameInStyle(style, one)),
      properties: Object.fromEntries(
        declared.map((one) => [nameInStyle(style, one), { ...one.shape.schema(style), description: one.description }]),
      ),
      additionalProperties: false,
    }),
  };
}
