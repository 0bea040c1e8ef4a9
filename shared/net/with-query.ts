const PARTS = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s;

/**
 * A registered address with values more in its query. What it has already, fragment included, stays as it was
 * registered.
 * @example withQuery('https://shop.example/done?/signed', { signatureSessionId })
 */
export function withQuery(registered: string, added: Readonly<Record<string, string>>): string {
  const [, address = '', query = '', fragment = ''] = PARTS.exec(registered) ?? [];
  const joint = query === '' || query.endsWith('&') ? '' : '&';
  const whole = `${address}?${query}${joint}${new URLSearchParams(added)}${fragment}`;
  // A header carries ASCII.
  return whole.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}
