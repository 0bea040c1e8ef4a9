type Properties<T> = Partial<Omit<T, 'onclick' | 'style'>> & {
  readonly onclick?: () => void;
  /** Attributes that are no properties, by their names. */
  readonly with?: Readonly<Record<string, string>>;
};
type Child = Node | string | undefined;

/**
 * An element with its properties and children. Texts become text, whatever is in them.
 * @example element('button', { className: 'quiet', onclick: refresh }, 'Refresh')
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { with: attributes = {}, ...properties }: Properties<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** The part of the page with this id: the server wrote it there. */
export function part<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} by the id ${id}.`);
}
