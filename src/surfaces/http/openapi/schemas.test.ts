import { describe, expect, test } from 'vitest';
import { pascalCase, Schemas } from './schemas.ts';

const text = { type: 'string' };
const number = { type: 'number' };

describe('named schemas', () => {
  test('equal schemas share a name', () => {
    const schemas = new Schemas();
    expect(schemas.put(text, ['Name'])).toEqual({ $ref: '#/components/schemas/Name' });
    expect(schemas.put({ ...text }, ['Title'])).toEqual({ $ref: '#/components/schemas/Name' });
    expect(schemas.all()).toEqual({ Name: text });
  });

  test('a schema whose name is taken gets the next one', () => {
    const schemas = new Schemas();
    schemas.put(text, ['Amount']);
    expect(schemas.put(number, ['Amount', 'AmountNumber'])).toEqual({ $ref: '#/components/schemas/AmountNumber' });
  });

  test('a title takes precedence over any other name', () => {
    expect(new Schemas().put({ ...text, title: 'access token' }, ['Name'])).toEqual({
      $ref: '#/components/schemas/AccessToken',
    });
  });

  test('two different schemas cannot have the same name', () => {
    const schemas = new Schemas();
    schemas.put(text, ['Amount']);
    expect(() => schemas.put(number, ['Amount'])).toThrow('Several schemas would be named Amount; give one a title.');
  });

  test.each([
    ['json-api legal-entity', 'JsonApiLegalEntity'],
    ['v1 client', 'V1Client'],
    ['token.flow-a 200', 'TokenFlowA200'],
  ])('%s is spelled %s', (words, name) => {
    expect(pascalCase(words)).toBe(name);
  });
});
