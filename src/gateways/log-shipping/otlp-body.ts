// A batch as OpenTelemetry's protocol writes logs in JSON (OTLP 1.x, `ExportLogsServiceRequest`), and what a collector answers to it.

import type { ShippedLine } from '../../model/operations/shipped-log.ts';

const severityInfo = 9;

type Attribute = {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
};

const textOf = (key: string, value: string): Attribute => ({ key, value: { stringValue: value } });

/** The body of a record is the line itself, so that what is kept of it can be verified. */
export function otlpBody(lines: readonly ShippedLine[], release: string): string {
  const records = lines.map(({ log, workspaceId, environment, number, at, text }) => ({
    // 64-bit integers are text in OTLP's JSON.
    timeUnixNano: `${at}000000`,
    observedTimeUnixNano: `${at}000000`,
    severityNumber: severityInfo,
    severityText: 'INFO',
    body: { stringValue: text },
    attributes: [
      textOf('holdfast.log', log),
      textOf('holdfast.workspace', workspaceId),
      textOf('holdfast.environment', environment),
      { key: 'holdfast.number', value: { intValue: String(number) } },
    ],
  }));
  const resource = { attributes: [textOf('service.name', 'holdfast'), textOf('service.version', release)] };
  const scopeLogs = [{ scope: { name: 'holdfast.log-shipping' }, logRecords: records }];
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] });
}

/** How many lines a collector says that it has not taken; 0 where its answer says nothing of it. */
export function rejectedByCollector(answer: string): number {
  try {
    const count: unknown = JSON.parse(answer)?.partialSuccess?.rejectedLogRecords;
    return typeof count === 'string' || typeof count === 'number' ? Number(count) || 0 : 0;
  } catch {
    return 0;
  }
}
