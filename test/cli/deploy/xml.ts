/** What AWS refuses a call with. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An answer as the query protocol has it: lists have members. */
export function xmlOf(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((each) => `<member>${xmlOf(each)}</member>`).join('');
  if (typeof value !== 'object' || value === null) return escaped(String(value));
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => `<${name}>${xmlOf(inner)}</${name}>`)
    .join('');
}
