// Keys of the console: `/` goes to the search, `g` and a letter to a page, `?` shows the list.

let isGoing = false;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function links(): HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('nav a[data-key]')];
}

function showList(): void {
  const known = document.querySelector<HTMLDialogElement>('dialog.keys');
  if (known !== null) return known.showModal();
  const dialog = document.createElement('dialog');
  dialog.className = 'keys';
  const list = document.createElement('dl');
  const rows: [string, string][] = [
    ['/', 'Search'],
    ['?', 'This list'],
  ];
  for (const link of links()) rows.push([`g ${link.dataset['key']}`, link.textContent.trim()]);
  for (const [key, title] of rows) {
    const [term, description] = [document.createElement('dt'), document.createElement('dd')];
    term.textContent = key;
    description.textContent = title;
    list.append(term, description);
  }
  const close = document.createElement('button');
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  dialog.append(list, close);
  document.body.append(dialog);
  dialog.showModal();
}

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const target = isGoing ? links().find((link) => link.dataset['key'] === event.key) : undefined;
  isGoing = event.key === 'g';
  if (target !== undefined) return target.click();
  if (event.key === '?') showList();
  const search = document.querySelector<HTMLInputElement>('input[type=search]');
  if (event.key === '/' && search !== null) {
    event.preventDefault();
    search.focus();
  }
});
