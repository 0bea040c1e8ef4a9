import { html } from 'hono/html';
import type { Refusal } from '../../errors/errors.ts';
import { redirect } from '../../http/response/answer.ts';
import type { MemberSessions, MembersOrganization } from '../../members/sessions.ts';
import type { Markup } from '../../ui/page.ts';
import { selectField } from '../../ui/parts.ts';
import { translations } from '../../ui/translations.ts';
import type { SentForm, Visit } from '../visit.ts';

const switchWords = translations({
  organization: { en: 'Organization', 'pt-BR': 'Organização' },
  title: { en: 'Work for another organization', 'pt-BR': 'Trabalhar por outra organização' },
  button: { en: 'Switch', 'pt-BR': 'Trocar' },
});

const PATH = 'organization/switch';

type SwitchOptions<Role extends string, Organization extends MembersOrganization> = {
  readonly consolePath: (path?: string) => string;
  readonly sessions: Pick<MemberSessions<Role, Organization>, 'organizationsOf' | 'changeOrganizationOf'>;
  readonly notFound: (organizationId: string) => Refusal;
};

/** For whoever works for several organizations: the choice, and the form that makes it. */
export function organizationSwitch<Role extends string, Organization extends MembersOrganization>({
  consolePath,
  sessions,
  notFound,
}: SwitchOptions<Role, Organization>) {
  const form: SentForm<Visit<Role, Organization>, 'organization.read'> = {
    operation: 'organization.read',
    async submit(visit, _params, sent) {
      const chosen = sent.text('organization');
      if (!(await sessions.changeOrganizationOf(visit.cookie, visit, chosen, visit.nowMs)))
        throw notFound(chosen);
      return redirect(consolePath(), { status: 303 });
    },
  };
  return {
    forms: { [PATH]: form },

    /** Empty for whoever works for one. */
    async switchCard({
      identity,
      organization,
      language,
    }: Pick<Visit<Role, Organization>, 'identity' | 'organization' | 'language'>): Promise<Markup | ''> {
      const words = switchWords(language);
      const known = await sessions.organizationsOf(identity);
      if (known.length < 2) return '';
      return html`<section class="card" aria-labelledby="switch"><h2 id="switch">${words.title}</h2>
<form class="row" method="post" action="${consolePath(PATH)}">
${selectField({
  id: 'organization',
  label: words.organization,
  value: organization.id,
  choices: known.map((each) => ({ value: each.organizationId, text: each.organization.name })),
})}
<button class="button quiet">${words.button}</button></form></section>`;
    },
  };
}
