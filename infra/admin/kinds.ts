import { AdminRefusal } from '../../shared/access/administration.ts';
import type { ServiceName } from '../../shared/settings/names.ts';

// What each service reads of what an operator registers.
const KINDS: Partial<Record<ServiceName, readonly string[]>> = {
  hub: ['redirectUris'],
  pki: ['returnUrls', 'trustedOrigins'],
  documents: ['organizations'],
};

/**
 * What an application may do when nothing is said. The one permission of the document platform is over every
 * organization of the instance, so it is given by name alone.
 */
export const usualPermissions = (service: ServiceName): readonly string[] =>
  service === 'documents' ? [] : ['*'];

/** Refuses a kind that the service never reads: registered under a mistyped one, a value would be kept and ignored. */
export function checkKind(service: ServiceName, kind: string): void {
  const kinds = KINDS[service] ?? [];
  if (kinds.includes(kind)) return;
  const there = kinds.length > 0 ? `Name one of: ${kinds.join(', ')}.` : 'It has none.';
  throw new AdminRefusal(`The ${service} service has no kind "${kind}". ${there}`);
}
