import { consoleTabs } from '../../../../../shared/console/pages/tabs.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { mayDo, type Operation } from '../../../tenants/domain/members/permissions.ts';
import { consolePath } from '../../pages/frame.ts';

const tabWords = translations({
  title: { en: 'Organization', 'pt-BR': 'Organização' },
  general: { en: 'General', 'pt-BR': 'Geral' },
  institutes: { en: 'Institutes', 'pt-BR': 'Institutos' },
  members: { en: 'Members', 'pt-BR': 'Pessoas' },
  webhooks: { en: 'Webhooks', 'pt-BR': 'Webhooks' },
});

/** The pages about the organization in their order, and who sees them. */
const TABS = {
  general: { path: 'organization', operation: 'organization.read' },
  institutes: { path: 'organization/institutes', operation: 'institutes.read' },
  members: { path: 'organization/members', operation: 'members.read' },
  webhooks: { path: 'organization/webhooks', operation: 'webhooks.read' },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly operation: Operation }>>;

export const { tabs, tabTitle } = consoleTabs({ consolePath, mayDo, tabs: TABS, words: tabWords });
