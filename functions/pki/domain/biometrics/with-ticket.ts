/** The return address with the ticket. What it has already, fragment included, stays as it was registered. */
export function withTicket(returnUrl: string, completeTicket: string, sessionId: string): string {
  const [address = '', ...fragment] = returnUrl.split('#');
  const added = new URLSearchParams({ completeTicket, sessionId });
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return [`${address}${joint}${added}`, ...fragment].join('#');
}
