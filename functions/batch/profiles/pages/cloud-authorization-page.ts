import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import type { HubProvider } from '../../../../shared/hub/client.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { page } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { basePath } from '../../auth/domain/return-path.ts';

const words = translations({
  title: { en: 'Authorize the cloud certificate', 'pt-BR': 'Autorize o certificado em nuvem' },
  one: {
    en: 'You are taken to the provider that keeps the certificate. Its holder allows the profile to sign there.',
    'pt-BR':
      'Você será levado ao provedor que guarda o certificado. Lá o titular permite que o perfil assine.',
  },
  several: {
    en: 'Several providers keep a certificate of this holder. Choose one.',
    'pt-BR': 'Vários provedores guardam um certificado deste titular. Escolha um.',
  },
  back: { en: 'Back to the profile', 'pt-BR': 'Voltar ao perfil' },
});

/** The page of a profile, with what came of an authorization; the list of profiles where none is known. */
export function profilePath(name: string | null, outcome?: string): string {
  const path = `${basePath()}/dashboard/profiles${name === null ? '' : `/${encodeURIComponent(name)}`}`;
  return outcome === undefined ? path : `${path}?cloud=${outcome}`;
}

type View = {
  readonly language: Language;
  readonly profileName: string;
  readonly providers: readonly HubProvider[];
};

/**
 * Leads to the provider of the certificate: by itself where there is one, and by links where there are several. It is a
 * page and not a redirect, because `form-action` holds for the redirects of a form too. `Refresh` is a navigation of the
 * page, so no script is needed.
 */
export async function cloudAuthorizationPage({ language, profileName, providers }: View): Promise<Answer> {
  const { title, one, several, back } = words(language);
  const [first, ...others] = providers;
  const isOne = others.length === 0;
  const path = profilePath(profileName);
  const body = html`<main><div class="card notice">
<h1>${title}</h1>
<p>${isOne ? one : several}</p>
${providers.map(({ name, authUrl }) => html`<a class="button wide" href="${authUrl}">${name}</a>`)}
<a class="button quiet wide" href="${path}">${back}</a>
</div></main>`;
  const answer = await page({
    title,
    language,
    styles: [assetUrl(basePath(), 'common.css')],
    body: renderFrame({ language, body, inLanguage: (other) => `${path}?lang=${other}` }),
  });
  if (!first || !isOne) return answer;
  return { ...answer, headers: { ...answer.headers, refresh: `0; url=${first.authUrl}` } };
}
