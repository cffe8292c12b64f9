// Looks again by itself while work goes on: replaces the part of the page that says how far it is, and stops when it has ended.

const part = document.querySelector<HTMLElement>('[data-reload-seconds]');

async function look(): Promise<void> {
  if (part === null) return;
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (answer?.ok === true) {
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = page.querySelector('[data-reload-seconds]');
    if (next === null) return location.reload();
    part.replaceChildren(...next.childNodes);
  }
  wait();
}

function wait(): void {
  const seconds = Number(part?.dataset['reloadSeconds'] ?? 2);
  setTimeout(() => void look(), seconds * 1_000);
}

if (part !== null) wait();
