/** Shows the buttons that copy a text, where the browser can: `data-copy` has the id of its element. */
export function wireCopying(): void {
  // Undefined on a page without TLS.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (!clipboard) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const text = document.getElementById(button.dataset.copy ?? '')?.textContent ?? '';
      await clipboard.writeText(text);
      button.textContent = button.dataset.copied ?? '';
    });
  }
}
