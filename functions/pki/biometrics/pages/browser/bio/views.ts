/** The views that the server rendered, of which one is seen. */
export function viewsOf(main: HTMLElement) {
  const all = [...main.querySelectorAll<HTMLElement>('[data-view]')];
  const named = (name: string): HTMLElement => {
    const found = all.find(({ dataset }) => dataset.view === name);
    if (!found) throw new Error(`The page has no view ${name}.`);
    return found;
  };
  const put = (within: HTMLElement, selector: string, text: string): void => {
    const element = within.querySelector<HTMLElement>(selector);
    if (element) element.textContent = text;
  };
  return {
    named,
    has: (name: string): boolean => all.some(({ dataset }) => dataset.view === name),
    /** Shows a view and what it says, and brings those who hear the page to its heading. */
    show(name: string, texts: Readonly<Record<string, string>> = {}): HTMLElement {
      const shown = named(name);
      for (const [selector, text] of Object.entries(texts)) put(shown, selector, text);
      for (const each of all) each.hidden = each !== shown;
      shown.querySelector<HTMLElement>('h1')?.focus();
      return shown;
    },
    say: (name: string, text: string): void => put(named(name), '.working', text),
  };
}

export type Views = ReturnType<typeof viewsOf>;
