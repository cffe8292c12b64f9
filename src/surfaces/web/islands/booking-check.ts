// Checks a new booking while somebody types: the server says whether units × price ± fees is the amount, as booking would.

const result = document.querySelector<HTMLElement>('[data-booking-check]');
const form = result?.closest('form') ?? undefined;
const waitMs = 600;
let timer: ReturnType<typeof setTimeout> | undefined;
let latest = 0;

/** Asks only when every required field is filled: what is missing is no mistake yet. */
async function check(): Promise<void> {
  if (result === null || form === undefined || !form.checkValidity()) return;
  const turn = ++latest;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  const answer = await fetch(result.dataset['bookingCheck'] ?? '', { method: 'POST', body }).catch(() => undefined);
  if (answer === undefined || turn !== latest) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const found = page.querySelector('[data-check-outcome], .error-summary ul');
  result.replaceChildren(...(found === null ? [] : [document.importNode(found, true)]));
}

form?.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(() => void check(), waitMs);
});
