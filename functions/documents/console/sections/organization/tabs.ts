import { consoleTabs } from '../../../../../shared/console/pages/tabs.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { mayDo, type Operation } from '../../../domain/members/permissions.ts';
import { consolePath } from '../../pages/frame.ts';

const tabWords = translations({
  title: { en: 'Organization', 'pt-BR': 'Organização' },
  general: { en: 'General', 'pt-BR': 'Geral' },
  members: { en: 'Members', 'pt-BR': 'Pessoas' },
  webhooks: { en: 'Webhooks', 'pt-BR': 'Webhooks' },
  applications: { en: 'Applications', 'pt-BR': 'Aplicativos' },
  usage: { en: 'Usage', 'pt-BR': 'Uso' },
});

/** The pages about the organization in their order, and who sees them. */
const TABS = {
  general: { path: 'organization', operation: 'organization.read' },
  members: { path: 'organization/members', operation: 'members.read' },
  webhooks: { path: 'organization/webhooks', operation: 'webhooks.read' },
  applications: { path: 'organization/applications', operation: 'applications.read' },
  usage: { path: 'organization/usage', operation: 'usage.read' },
} as const satisfies Readonly<Record<string, { readonly path: string; readonly operation: Operation }>>;

export const { tabs, tabTitle } = consoleTabs({ consolePath, mayDo, tabs: TABS, words: tabWords });
