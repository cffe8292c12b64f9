// Makes the editor of filters quicker: its buttons and a chosen property redraw the editor without leaving the page.

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A choice by keyboard passes others on its way: the editor waits until the person stays with one. */
const restMs = 700;
let timer: ReturnType<typeof setTimeout> | undefined;
let latest = 0;

function controlsOf(editor: Element): Control[] {
  return [...editor.querySelectorAll<Control>('input[id], select[id], textarea[id]')];
}

/** As the button would without this script. */
function sendWhole(form: HTMLFormElement, act: string): void {
  const input = document.createElement('input');
  input.type = 'hidden';
  input.name = 'act';
  input.value = act;
  form.append(input);
  form.submit();
}

async function redraw(form: HTMLFormElement, act: string): Promise<void> {
  clearTimeout(timer);
  const turn = ++latest;
  const editor = form.querySelector('[data-filter-editor]');
  if (editor === null) return;
  const sent = new Map(controlsOf(editor).map(({ id, value }) => [id, value]));
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  body.set('act', act);
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => undefined);
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (turn !== latest) return;
  const drawn = page?.querySelector('[data-filter-editor]') ?? null;
  if (drawn === null) return sendWhole(form, act);
  const fresh = document.importNode(drawn, true);
  const active = document.activeElement?.id ?? '';
  const typedSince = controlsOf(editor).filter(({ id, value }) => sent.get(id) !== value);
  editor.replaceWith(fresh);
  for (const { id, value } of typedSince) {
    const control = controlsOf(fresh).find((one) => one.id === id);
    if (control !== undefined) control.value = value;
  }
  const added = controlsOf(fresh).find(({ id }) => !sent.has(id));
  const kept = active === '' ? null : document.getElementById(active);
  const target = act.startsWith('show') ? kept : (added ?? kept);
  (target ?? fresh.querySelector<HTMLElement>('select'))?.focus();
}

/** The chosen property or comparison, on which the fields of its condition depend. */
function chosenIn({ target }: Event): HTMLSelectElement | undefined {
  const isChoice = target instanceof HTMLSelectElement && /^filter[.\d]*\.(?:field|operator)$/.test(target.name);
  return isChoice ? target : undefined;
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null;
  if (button?.name !== 'act' || button.form === null || button.closest('[data-filter-editor]') === null) return;
  event.preventDefault();
  void redraw(button.form, button.value);
});

document.addEventListener('change', (event) => {
  const form = chosenIn(event)?.form ?? null;
  clearTimeout(timer);
  if (form !== null) timer = setTimeout(() => void redraw(form, 'show:'), restMs);
});

document.addEventListener('keydown', (event) => {
  const form = chosenIn(event)?.form ?? null;
  if (form === null || timer === undefined) return;
  clearTimeout(timer);
  timer = setTimeout(() => void redraw(form, 'show:'), restMs);
});
