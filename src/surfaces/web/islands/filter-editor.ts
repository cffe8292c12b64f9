// Makes the editor of filters quicker: its buttons and a chosen property redraw the editor without leaving the page.

/** As the button would without this script. */
function sendWhole(form: HTMLFormElement, act: string): void {
  const input = document.createElement('input');
  input.type = 'hidden';
  input.name = 'act';
  input.value = act;
  form.append(input);
  form.submit();
}

async function redraw(form: HTMLFormElement, act: string, focusId: string): Promise<void> {
  const editor = form.querySelector('[data-filter-editor]');
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  body.set('act', act);
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => undefined);
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html');
  const drawn = page?.querySelector('[data-filter-editor]') ?? null;
  if (editor === null || drawn === null) return sendWhole(form, act);
  const known = new Set(Array.from(editor.querySelectorAll('[id]'), ({ id }) => id));
  const fresh = document.importNode(drawn, true);
  editor.replaceWith(fresh);
  const added = [...fresh.querySelectorAll<HTMLElement>('select[id]')].find(({ id }) => !known.has(id));
  const target = act.startsWith('show') ? document.getElementById(focusId) : added;
  (target ?? fresh.querySelector<HTMLElement>('select'))?.focus();
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (button?.name !== 'act' || button.form === null || button.closest('[data-filter-editor]') === null) return;
  event.preventDefault();
  void redraw(button.form, button.value, button.id);
});

document.addEventListener('change', (event) => {
  const { target } = event;
  if (!(target instanceof HTMLSelectElement) || target.form === null) return;
  if (!/^filter[.\d]*\.(?:field|operator)$/.test(target.name)) return;
  void redraw(target.form, 'show:', target.id);
});
