import { html } from 'hono/html';
import { organizationSwitch } from '../../../../../shared/console/members/switch-organization.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { factList, givenText } from '../../../../../shared/ui/parts.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { sessions } from '../../../tenants/domain/members/sessions.ts';
import { subscriptionNotFound } from '../../../tenants/domain/organization.ts';
import { consolePath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import { roleWords } from '../../pages/role-words.ts';
import type { Section, Visit } from '../../visit.ts';
import { institutePages } from './institutes/institutes.ts';
import { members } from './members.ts';
import { tabs, tabTitle } from './tabs.ts';
import { webhookPages } from './webhooks/webhooks.ts';

const words = translations({
  name: { en: 'Name', 'pt-BR': 'Nome' },
  id: { en: 'Id', 'pt-BR': 'Identificador' },
  kinds: { en: 'What it does', 'pt-BR': 'O que faz' },
  Emissora: { en: 'Issues credentials', 'pt-BR': 'Emissora' },
  Registradora: { en: 'Registers degrees', 'pt-BR': 'Registradora' },
  yourRole: { en: 'Your role', 'pt-BR': 'Sua função' },
});

const switching = organizationSwitch({ consolePath, sessions, notFound: subscriptionNotFound });

async function generalPage(visit: Visit): Promise<Answer> {
  const { language, organization, member } = visit;
  const own = words(language);
  return memberPage(visit, {
    title: tabTitle(visit, 'general'),
    current: 'organization',
    body: html`${tabs(visit, 'general')}
<section class="card">${factList([
      [own.name, givenText(organization.name)],
      [own.kinds, organization.kinds.map((kind) => own[kind]).join(', ')],
      [own.id, html`<code>${organization.id}</code>`],
      [own.yourRole, roleWords(language)[member.role]],
    ])}</section>
${await switching.switchCard(visit)}`,
  });
}

/** What the organization is, and the way to another one that the member works for. */
const general: Section = {
  pages: { organization: { operation: 'organization.read', show: generalPage } },
  forms: switching.forms,
};

const PARTS: readonly Section[] = [general, institutePages, members, webhookPages];

/** The organization: what it is, its institutes, who works for it, and where its events are sent. */
export const organization: Section = {
  pages: Object.assign({}, ...PARTS.map(({ pages }) => pages)),
  forms: Object.assign({}, ...PARTS.map(({ forms }) => forms)),
};
