import { consoleFrame } from '../../../../shared/console/pages/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { KIND_NAMES, KINDS, type KindName } from '../../items/domain/kinds.ts';
import { mayDo, type Operation } from '../../tenants/domain/members/permissions.ts';
import type { Organization } from '../../tenants/domain/organization.ts';
import type { Role } from '../../tenants/roles.ts';
import { kindWords } from './kind-words.ts';

const frameWords = translations({
  service: { en: 'Academic credentials', 'pt-BR': 'Credenciais acadêmicas' },
  organization: { en: 'Organization', 'pt-BR': 'Organização' },
});

/** Every kind of item has an entry, and the organization. */
export type NavigationName = KindName | 'organization';

/** The pages of the navigation bar in its order, by their paths, and who sees them there. */
const ENTRIES: Readonly<Record<NavigationName, { readonly path: string; readonly operation: Operation }>> = {
  ...(Object.fromEntries(
    KIND_NAMES.map((kind) => [kind, { path: KINDS[kind].path, operation: 'items.read' }]),
  ) as Record<KindName, { readonly path: string; readonly operation: Operation }>),
  organization: { path: 'organization', operation: 'organization.read' },
};

const words = (language: Language) => ({
  ...frameWords(language),
  ...(Object.fromEntries(KIND_NAMES.map((kind) => [kind, kindWords(kind, language).tab])) as Record<
    KindName,
    string
  >),
});

export const frame = consoleFrame<Role, Operation, Organization, NavigationName>({
  service: 'credentials',
  entries: ENTRIES,
  words,
  mayDo,
  brandingOf: ({ name }) => ({ displayName: name, logoUrl: null }),
});
export const { consolePath, besidePath } = frame;
