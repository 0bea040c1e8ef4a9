const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
  '\n': '&#xA;',
  '\t': '&#x9;',
};

/** Escapes text for any encoding: characters outside ASCII become character references. */
export const text = (value: string): string =>
  value.replace(
    /[&<>"\r\n\t]|[^ -~]/gu,
    (character) => ESCAPED[character] ?? `&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`,
  );

type Attributes = Readonly<Record<string, string | undefined>>;

/** An element with its attributes in the order given. @example element('ds:DigestMethod', { Algorithm: uri }) */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${text(value)}"`,
  );
  return `<${name}${written.join('')}>${content.join('')}</${name}>`;
}
