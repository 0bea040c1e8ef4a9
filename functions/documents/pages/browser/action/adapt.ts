/** A browser that shows no PDF inside a page leaves a large empty box around what is said instead. */
export function unwrapViewer(main: HTMLElement): void {
  const viewer = main.querySelector('.viewer');
  if (!viewer || navigator.pdfViewerEnabled) return;
  viewer.replaceWith(...viewer.children);
  main.querySelector('.beside')?.remove();
}
