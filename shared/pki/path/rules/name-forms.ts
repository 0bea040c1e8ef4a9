import type { GeneralName } from '../../extensions/general-names.ts';
import { nameIsUnder } from '../../name/match.ts';

/**
 * Whether a name is in the subtree of a constraint of the same form (RFC 5280, 4.2.1.10). `unknown` for forms without a
 * rule here.
 */
export function liesUnder(name: GeneralName, base: GeneralName): boolean | 'unknown' {
  if (name.kind === 'directoryName' && base.kind === 'directoryName')
    return nameIsUnder(name.name, base.name);
  if (name.kind === 'ipAddress' && base.kind === 'ipAddress') return addressIsUnder(name.value, base.value);
  if (name.kind === 'dnsName' && base.kind === 'dnsName') return hostIsUnder(name.value, base.value);
  if (name.kind === 'rfc822Name' && base.kind === 'rfc822Name') return mailboxIsUnder(name.value, base.value);
  if (name.kind === 'uri' && base.kind === 'uri') return uriIsUnder(name.value, base.value);
  return 'unknown';
}

// `example.com` covers itself and every name below it; `.example.com` only the names below.
function hostIsUnder(name: string, base: string): boolean {
  const [host, constraint] = [name.toLowerCase().replace(/\.$/, ''), base.toLowerCase()];
  if (constraint === '' || host === constraint) return true;
  return host.endsWith(constraint.startsWith('.') ? constraint : `.${constraint}`);
}

// `a@example.com` is one mailbox, `example.com` all mailboxes of that host, `.example.com` those of the hosts below.
function mailboxIsUnder(name: string, base: string): boolean {
  const at = name.lastIndexOf('@');
  const host = name.slice(at + 1).toLowerCase();
  if (base.includes('@')) {
    const baseAt = base.lastIndexOf('@');
    return name.slice(0, at) === base.slice(0, baseAt) && host === base.slice(baseAt + 1).toLowerCase();
  }
  const constraint = base.toLowerCase();
  return constraint.startsWith('.') ? host.endsWith(constraint) : constraint === '' || host === constraint;
}

// Only the host counts. A URI without a host, or with an IP address, cannot be compared: it is `unknown`.
function uriIsUnder(name: string, base: string): boolean | 'unknown' {
  const host = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:@[\]]+)/i.exec(name)?.[1]?.toLowerCase();
  if (host === undefined || /^[\d.]+$/.test(host)) return 'unknown';
  const constraint = base.toLowerCase();
  return constraint.startsWith('.') ? host.endsWith(constraint) : host === constraint;
}

// The constraint is an address followed by a mask of the same length.
function addressIsUnder(address: Buffer, base: Buffer): boolean {
  if (base.length !== address.length * 2) return false;
  return address.every((byte, i) => {
    const mask = base[address.length + i] ?? 0;
    return (byte & mask) === ((base[i] ?? 0) & mask);
  });
}
