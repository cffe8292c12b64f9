// Runs inside the browser: lists what is wrong with where the text of a page stands. `page-quality.ts` reads this file.

(() => {
  const faults = new Set();
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    faults.add(`the page scrolls sideways by ${root.scrollWidth - root.clientWidth} px`);
  }
  const headings = document.querySelectorAll('h1').length;
  if (headings !== 1) faults.add(`the page has ${headings} h1`);

  const nameOf = (element) =>
    [element.tagName.toLowerCase(), ...element.classList].join('.') + (element.id === '' ? '' : `#${element.id}`);

  /** The part of a rectangle that no ancestor cuts off. */
  const visiblePart = (rectangle, element) => {
    let { left, right, top, bottom } = rectangle;
    for (let outer = element; outer !== null && outer !== root; outer = outer.parentElement) {
      const style = getComputedStyle(outer);
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const box = outer.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return { left, right, top, bottom };
  };

  const isHidden = (element) =>
    element.closest('.visually-hidden, .skip, option, title, desc, script, style') !== null ||
    !element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true });

  /** Words may break after a hyphen or slash between letters, and where they are longer than any name; in long names, which leave the room to figures, sooner. */
  const wordPattern = /[^\s/-]+(?:[/-](?=[\d])[^\s/-]*)*/gu;
  const lengthMax = { word: 19, inLongName: 12, figure: 24 };
  /** Pictures, and signs of markup: a line may end between them. */
  const noWord = /\p{Extended_Pictographic}|[<>="]/u;
  const shown = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (node.data.trim() === '' || isHidden(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rectangle of range.getClientRects()) {
      const part = visiblePart(rectangle, element);
      if (part.right - part.left > 1 && part.bottom - part.top > 1) shown.push({ ...part, node, element });
    }
    if (element.closest('pre, code, svg') !== null) continue;
    for (const match of node.data.matchAll(wordPattern)) {
      const inName = element.closest('.wide') === null ? lengthMax.word : lengthMax.inLongName;
      if (match[0].length > (/\d/.test(match[0]) ? lengthMax.figure : inName) || noWord.test(match[0])) continue;
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const boxes = [...range.getClientRects()];
      // Letters of several fonts have boxes of several heights: a line is one that lies below another.
      const isBroken = Math.max(...boxes.map(({ top }) => top)) >= Math.min(...boxes.map(({ bottom }) => bottom)) - 1;
      if (boxes.length > 1 && isBroken) faults.add(`the word “${match[0]}” is broken in ${nameOf(element)}`);
    }
  }

  for (const element of document.querySelectorAll('td, th, dd, dt, .figures > div')) {
    if (isHidden(element)) continue;
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) {
      faults.add(`${nameOf(element)} is narrower than “${element.textContent.trim().slice(0, 40)}”`);
    }
  }

  /** A figure that is scrolled to fits beside the first column, which stays in sight. */
  for (const scroll of document.querySelectorAll('.scroll')) {
    const kept = scroll.querySelector('tbody th');
    if (kept === null || isHidden(scroll) || getComputedStyle(kept).position !== 'sticky') continue;
    const room = scroll.clientWidth - kept.getBoundingClientRect().width;
    for (const cell of scroll.querySelectorAll('tbody td.n')) {
      const range = document.createRange();
      range.selectNodeContents(cell.querySelector('a') ?? cell.firstChild ?? cell);
      const { width } = range.getBoundingClientRect();
      if (width > room + 1)
        faults.add(
          `“${kept.textContent.trim().slice(0, 40)}” leaves ${Math.round(room)} px for “${range.toString().trim()}”`,
        );
    }
  }

  /** Lines of text may come this near to each other. */
  const nearPx = 3;
  shown.sort((one, other) => one.top - other.top);
  shown.forEach((one, index) => {
    for (let next = index + 1; next < shown.length && shown[next].top < one.bottom - nearPx; next++) {
      const other = shown[next];
      if (one.node === other.node) continue;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (width > nearPx && height > nearPx) {
        const texts = [one, other].map(({ node }) => `“${node.data.trim().slice(0, 30)}”`);
        faults.add(`${texts.join(' overlaps ')} in ${nameOf(other.element)}`);
      }
    }
  });
  return [...faults];
})();
