import { find } from './view.ts';

/** The name of the file that was chosen, beside the button: the browser's own words may be of another language. */
export function tellChosen(main: HTMLElement): void {
  const input = main.querySelector<HTMLInputElement>('#certificate');
  input?.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) find(main, '.chosen', HTMLElement).textContent = file.name;
  });
}

/** A browser that shows no PDF inside a page leaves a large empty box around what is said instead. */
export function unwrapViewer(main: HTMLElement): void {
  const viewer = main.querySelector('.viewer');
  if (!viewer || navigator.pdfViewerEnabled) return;
  viewer.replaceWith(...viewer.children);
  main.querySelector('.beside')?.remove();
}
