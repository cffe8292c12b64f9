// Shows the buttons that copy a secret, and copies the field that a button names.

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const field = document.getElementById(button.dataset['copy'] ?? '');
  if (!(field instanceof HTMLInputElement)) continue;
  button.hidden = false;
  button.addEventListener('click', () => {
    field.select();
    void navigator.clipboard?.writeText(field.value);
  });
}
