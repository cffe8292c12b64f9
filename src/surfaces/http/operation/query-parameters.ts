// Reads query parameters by their declared kinds. Unknown parameters are refused, and so are repeated ones unless they may repeat.

import { FieldFault } from '../../../kit/field.ts';
import { refusalForFaults, type Fault, type Refusal } from '../../../kit/refusal.ts';
import type { Parameter } from './operation.ts';

function parameterFault(parameter: string, detail: string): Fault {
  return { code: 'invalid-parameter', detail, parameter };
}

/** Refuses a parameter that was read but does not fit the rest of the request. */
export function invalidParameter(parameter: string, detail: string): Refusal {
  return refusalForFaults('invalid-parameter', [parameterFault(parameter, detail)]);
}

const noValues: Readonly<Record<string, never>> = Object.freeze({});

export function readQuery(
  search: string,
  declared: Readonly<Record<string, Parameter>>,
): Readonly<Record<string, unknown>> {
  const parameters = Object.entries(declared);
  if (search === '' && parameters.every(([, { required }]) => !required)) return noValues;
  const received = new URLSearchParams(search);
  const faults: Fault[] = [];
  for (const name of new Set(received.keys())) {
    if (!Object.hasOwn(declared, name)) {
      faults.push({
        code: 'unknown-parameter',
        detail: `The parameter ${JSON.stringify(name)} does not exist here.`,
        parameter: name,
      });
    }
  }
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of parameters) readParameter(name, parameter, received.getAll(name), values, faults);
  const [first] = faults;
  if (first !== undefined) throw refusalForFaults(first.code, faults);
  return values;
}

function readParameter(
  name: string,
  parameter: Parameter,
  received: readonly string[],
  values: Record<string, unknown>,
  faults: Fault[],
): void {
  const fault = (detail: string): void => {
    faults.push(parameterFault(name, `${name} ${detail}.`));
  };
  if (received.length > 1 && !parameter.repeats) return fault('must be sent once');
  // A parameter that repeats may also be sent once, with commas.
  const value = received.length > 1 ? received.join(',') : received[0];
  if (value === undefined) return parameter.required ? fault('is required') : undefined;
  try {
    values[name] = parameter.kind.readText ? parameter.kind.readText(value) : parameter.kind.read(value);
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error;
    fault(error.message);
  }
}
