import { consoleFrame } from '../../../../shared/console/pages/frame.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { mayDo, type Operation } from '../../tenants/domain/members/permissions.ts';
import type { Organization } from '../../tenants/domain/organization.ts';
import type { Role } from '../../tenants/roles.ts';

const frameWords = translations({
  service: { en: 'Academic credentials', 'pt-BR': 'Credenciais acadêmicas' },
  organization: { en: 'Organization', 'pt-BR': 'Organização' },
});

/** The pages of the navigation bar in its order, by their paths, and who sees them there. */
const ENTRIES = {
  organization: { path: 'organization', operation: 'organization.read' },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly operation: Operation }>>;

export const frame = consoleFrame<Role, Operation, Organization, keyof typeof ENTRIES>({
  service: 'credentials',
  entries: ENTRIES,
  words: frameWords,
  mayDo,
  brandingOf: ({ name }) => ({ displayName: name, logoUrl: null }),
});
export const { consolePath, besidePath } = frame;
