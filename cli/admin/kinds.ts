import { ROLES } from '../../functions/credentials/tenants/roles.ts';
import { isRedirectUri } from '../../functions/hub/domain/redirect-uri.ts';
import { isOrigin, isReturnUrl } from '../../functions/pki/domain/registered-addresses.ts';
import { AdminRefusal } from '../../shared/access/administration.ts';
import type { ServiceName } from '../../shared/settings/names.ts';

/** Refuses a value that the service would never accept. */
type Check = (value: string) => void | Promise<void>;

const must =
  (isOne: (value: string) => boolean, what: string): Check =>
  (value) => {
    if (!isOne(value)) throw new AdminRefusal(`"${value}" is not ${what}.`);
  };

const aRedirectUri = must(
  isRedirectUri,
  'an absolute URI that users may be sent to, such as https://example.com/return',
);
const aReturnUrl = must(isReturnUrl, 'an http or https address');
const anOrigin = must(isOrigin, 'an origin such as https://example.com, without a path');
const anOrganization: Check = async (id) => (await import('./organizations.ts')).requireOrganization(id);
const aUniversity: Check = async (id) =>
  (await import('./universities/universities.ts')).requireUniversity(id);

const aRole = must((value) => ROLES.some((role) => role === value), `a role: ${ROLES.join(', ')}`);

// The kinds of values that each service reads.
const KINDS: Partial<Record<ServiceName, Readonly<Record<string, Check>>>> = {
  hub: { redirectUris: aRedirectUri },
  pki: { returnUrls: aReturnUrl, trustedOrigins: anOrigin },
  documents: { organizations: anOrganization },
  credentials: { organizations: aUniversity, role: aRole },
};

// Services with one permission, and what it is called there.
const ONLY_PERMISSION: Partial<Record<ServiceName, string>> = {
  documents: 'admin',
  credentials: 'Administrador',
  session: 'workstation-questions',
};

/** The permissions of a new application. The one permission of a platform is never given by default. */
export const defaultPermissions = (service: ServiceName): readonly string[] =>
  ONLY_PERMISSION[service] === undefined ? ['*'] : [];

/** Refuses a permission that does not exist, where the permissions are known; `*` is all of a service. */
export function checkPermission(service: ServiceName, permission: string): void {
  if (permission.trim() === '') throw new AdminRefusal('Name the permission.');
  const only = ONLY_PERMISSION[service];
  if (only !== undefined && permission !== only)
    throw new AdminRefusal(`The ${service} service has no permission "${permission}". It has one: ${only}.`);
}

/** Refuses a kind that the service never reads: a value under a mistyped kind would be kept and ignored. */
export function checkKind(service: ServiceName, kind: string): void {
  const kinds = Object.keys(KINDS[service] ?? {});
  if (kinds.includes(kind)) return;
  const there = kinds.length > 0 ? `Name one of: ${kinds.join(', ')}.` : 'It has none.';
  throw new AdminRefusal(`The ${service} service has no kind "${kind}". ${there}`);
}

/** Refuses a value that the service would never accept, before somebody is sent there. */
export async function checkValue(service: ServiceName, kind: string, value: string): Promise<void> {
  checkKind(service, kind);
  await KINDS[service]?.[kind]?.(value);
}
