const PARTS = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s;

/**
 * Adds values to the query of a registered address. The rest of the address, fragment included, stays as registered.
 * @example withQuery('https://shop.example/done?/signed', { signatureSessionId })
 */
export function withQuery(registered: string, added: Readonly<Record<string, string>>): string {
  const [, address = '', query = '', fragment = ''] = PARTS.exec(registered) ?? [];
  const joint = query === '' || query.endsWith('&') ? '' : '&';
  const whole = `${address}?${query}${joint}${new URLSearchParams(added)}${fragment}`;
  // The result goes into a Location header, which is ASCII.
  return whole.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}
