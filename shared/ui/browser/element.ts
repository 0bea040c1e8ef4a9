type Properties<T> = Partial<Omit<T, 'onclick' | 'style'>> & {
  readonly onclick?: () => void;
  /** Attributes that are not properties, by name. */
  readonly with?: Readonly<Record<string, string>>;
};
type Child = Node | string | undefined;

/**
 * Creates an element with properties and children. XSS: strings become text nodes, never HTML.
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

/** The element with this id, which the server rendered. */
export function part<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} by the id ${id}.`);
}
