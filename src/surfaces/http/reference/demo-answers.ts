// Puts the answers of the demo into the document in place of the recorded ones: what the page shows is what its reader gets.

/** Lists are shown with their first entries. */
const shownEntries = 3;

/** Ends the description of an answer whose example is not the demo's. */
export const madeUp = 'The demo has nothing to show here: the example is made up.';

/** How many reads run at the same time. */
const lanes = 4;

/** Each export of what is known about a person is noted in the audit log. */
const unasked = ['v1.user.export'];

interface AnswerSource {
  /** Undefined for what cannot be read. */
  read(url: string): Promise<unknown>;
  /** The reporting entities of the demo. Not every report has something to say about each. */
  readonly entities: readonly string[];
}

/** Asks every read that takes a token as its example has it. */
export async function showAnswers(document: string, source: AnswerSource): Promise<string> {
  const parsed = JSON.parse(document);
  const reads = Object.entries<any>(parsed.paths)
    .filter(([, { get }]) => get?.security.length > 0 && !unasked.includes(get.operationId))
    .map(([path, { get }]) => ({ path, parameters: get.parameters, answer: get.responses[200] }))
    .values();
  const work = async (): Promise<void> => {
    for (const { path, parameters, answer } of reads) {
      const body = await findAnswer(source, path, parameters);
      const [media] = Object.values<any>(answer.content);
      if (isNothing(body)) answer.description = `${answer.description} ${madeUp}`;
      else media.example = shorten(body);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return JSON.stringify(parsed);
}

/** The answer about the example's reporting entity or, if there is nothing in it, about the first of which there is something. */
async function findAnswer({ read, entities }: AnswerSource, path: string, parameters: any[]): Promise<unknown> {
  const body = await read(exampleUrl(path, parameters));
  const place = parameters.findIndex(({ name, in: where }) => name === 'reporting_entity_id' && where === 'query');
  if (!isNothing(body) || place === -1) return body;
  for (const example of entities) {
    const others = parameters.with(place, { ...parameters[place], example });
    const found = await read(exampleUrl(path, others));
    if (isNothing(found)) continue;
    parameters[place].example = example;
    return found;
  }
  return body;
}

/** The path with its parameters, and all of its query that has an example. */
function exampleUrl(path: string, parameters: readonly any[]): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place, example } of parameters) {
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(example));
    if (place === 'query' && example !== undefined) query.set(name, String(example));
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** Whether there is no answer, or one without any record. */
function isNothing(body: any): boolean {
  const rows = body?.data ?? body;
  return rows === undefined || (Array.isArray(rows) && rows.length === 0);
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, shownEntries).map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]));
}
