import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import type { HubProvider } from '../../../../shared/hub/client.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { portalPage, portalPath } from './portal-frame.ts';

const providerWords = translations({
  title: { en: 'Allow the signature at your provider', 'pt-BR': 'Permita a assinatura no seu provedor' },
  one: {
    en: 'You are taken to the provider that keeps your certificate.',
    'pt-BR': 'Você será levado ao provedor que guarda seu certificado.',
  },
  several: {
    en: 'Several providers keep a certificate for your CPF. Choose one.',
    'pt-BR': 'Vários provedores guardam um certificado do seu CPF. Escolha um.',
  },
  back: { en: 'Back to the file', 'pt-BR': 'Voltar ao arquivo' },
});

type ProvidersPage = {
  readonly language: Language;
  readonly address: string;
  readonly jobId: string;
  readonly providers: readonly HubProvider[];
};

/**
 * Leads to the provider of the certificate: by itself where there is one, and by links where there are several. It is a
 * page and not a redirect, because `form-action` holds for the redirects of a form too, and a browser that enforces
 * that would never arrive at another site. `Refresh` is a navigation of the page, so no script is needed.
 */
export async function providersPage({ language, address, jobId, providers }: ProvidersPage): Promise<Answer> {
  const words = providerWords(language);
  const [first, ...others] = providers;
  const isOne = others.length === 0;
  const path = portalPath(`jobs/${encodeURIComponent(jobId)}`);
  const answer = await portalPage({
    title: words.title,
    language,
    address,
    path,
    body: html`<div class="card notice">
<h1>${words.title}</h1>
<p>${isOne ? words.one : words.several}</p>
<ul class="providers">${providers.map(
      ({ name, authUrl }) => html`<li><a class="button wide" href="${authUrl}">${name}</a></li>`,
    )}</ul>
<a class="button quiet" href="${path}">${words.back}</a>
</div>`,
  });
  if (!first || !isOne) return answer;
  return { ...answer, headers: { ...answer.headers, refresh: `0; url=${first.authUrl}` } };
}
