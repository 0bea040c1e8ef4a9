import { html } from 'hono/html';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { mayDo, type Operation } from '../../../domain/members/permissions.ts';
import { consolePath } from '../../pages/frame.ts';
import type { Visit } from '../../visit.ts';

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

export type TabName = keyof typeof TABS;

/** The heading of a page about the organization, and the ways to the others. */
export function tabs({ language, member }: Visit, current: TabName): Markup {
  const words = tabWords(language);
  const shown = (Object.keys(TABS) as TabName[]).filter((name) => mayDo(member.role, TABS[name].operation));
  return html`<div><h1>${words.title}</h1>
<nav class="tabs" aria-label="${words.title}"><ul>${shown.map(
    (name) =>
      html`<li><a href="${consolePath(TABS[name].path)}"${name === current ? html` aria-current="page"` : ''}>${words[name]}</a></li>`,
  )}</ul></nav></div>`;
}

/** The title of a page, for the window. */
export const tabTitle = ({ language }: Pick<Visit, 'language'>, name: TabName): string =>
  `${tabWords(language)[name]} · ${tabWords(language).title}`;
