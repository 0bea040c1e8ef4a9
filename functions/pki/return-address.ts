/**
 * A registered address with something added. What it has already, fragment included, stays as it was registered.
 * @example withQuery('https://shop.example/done?/signed', { signatureSessionId })
 */
export function withQuery(returnUrl: string, added: Readonly<Record<string, string>>): string {
  const [address = '', ...fragment] = returnUrl.split('#');
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return [`${address}${joint}${new URLSearchParams(added)}`, ...fragment].join('#');
}
