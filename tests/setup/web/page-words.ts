// What a page says and where it leads, one part on each line, so that two of its states can be compared and read.

/** Attributes that people see, follow or send. */
const shownAttributes =
  /\s(?:href|action|name|value|title|alt|placeholder|aria-label|datetime|min|max|maxlength|checked|selected|disabled|open)(?:="[^"]*")?(?=[\s/>]|$)/g;

/** The content of `main`, or the whole page without one. Drawings have tests of their own. */
export function pageWords(html: string): string {
  const main = /<main\b[^>]*>.*<\/main>/s.exec(html)?.[0] ?? html;
  const parts = main
    .replaceAll('<wbr />', '')
    .replaceAll(/<svg\b.*?<\/svg>/gs, '(drawing)')
    .matchAll(/<\/?(\w+)([^>]*)>|([^<]+)/g);
  const lines = [...parts].flatMap(([whole, tag, attributes = '', text = '']) => {
    if (tag === undefined) return text.trim() === '' ? [] : [text.trim().replaceAll(/\s+/g, ' ')];
    const shown = [...attributes.matchAll(shownAttributes)].map(([attribute]) => attribute).join('');
    return whole.startsWith('</') || shown === '' ? [] : [`<${tag}${shown}>`];
  });
  return lines.map(withoutRandom).join('\n');
}

/** Ids, tokens, cursors, tags and ports are another each time. */
function withoutRandom(line: string): string {
  // The requests that a page makes are answered in any order.
  const ordered = line.startsWith('GET /') ? line.split(' GET ').toSorted().join(' GET ') : line;
  return (
    ordered
      .replaceAll(/(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/g, 'ID')
      .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'KEY')
      .replaceAll(/…[0-9a-f]{6}\b/g, '…ID')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
      .replaceAll(/(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{22,}/g, 'CODE')
      // People are numbered over all tests of a worker.
      .replaceAll(/(?<=\b[Pp]erson[ .])\d+/g, 'N')
      .replaceAll(/^[0-9a-f]{8}$|(?<=UTC, )[0-9a-f]{6}$/g, 'ID')
  );
}
