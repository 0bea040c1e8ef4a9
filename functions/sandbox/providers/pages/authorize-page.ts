import { html } from 'hono/html';
import { formatCnpj, parseCnpj } from '../../../../shared/taxpayer/cnpj.ts';
import { formatCpf, parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import type { AuthorizationRequest, Query } from '../domain/authorization-request.ts';
import type { ProviderHolder } from '../domain/provider.ts';
import { authorizeWords } from './authorize-words.ts';

// The page is at /providers/{provider}/v0/oauth/authorize, and its addresses are relative.
const ROOT = '../../../..';
export const STYLES = [assetUrl(ROOT, 'common.css'), assetUrl(ROOT, 'sandbox-authorize.css')];

/** The same page in another language. */
export function inLanguage(query: Query): (language: Language) => string {
  return (language) => {
    const values = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    );
    const others = values.filter(([name]) => name !== 'lang');
    return `?${new URLSearchParams([...others, ['lang', language]])}`;
  };
}

/** Who asks the holder for what, and the two answers there are. It is a plain form, and needs no script. */
export async function authorizePage(request: AuthorizationRequest, query: Query, language: Language) {
  const body = request.isForHolder ? question(request, language) : nothingToAllow(request, language);
  const { title, noCertificateTitle } = authorizeWords(language);
  return page({
    title: request.isForHolder ? title : noCertificateTitle,
    language,
    styles: STYLES,
    formAction: ANY_CLIENT,
    body: renderFrame({ language, body, inLanguage: inLanguage(query) }),
  });
}

// A browser holds every address that a posted form leads on to against this rule: the client's callback, and where
// that sends the holder then, which only the client knows.
const ANY_CLIENT = "'self' http: https:";

function question(request: AuthorizationRequest, language: Language): Markup {
  const words = authorizeWords(language);
  const { provider, scope, lifetimeSeconds } = request;
  return html`<main><div class="card notice">
<p class="note">${words.sandbox}</p>
<h1>${words.title}</h1>
<dl class="request">
<dt>${words.client}</dt><dd>${request.clientName} <code>${request.clientId}</code></dd>
<dt>${words.provider}</dt><dd>${provider.company}</dd>
<dt>${words.holder}</dt><dd>${provider.holder.name}<br>${identifierOf(provider.holder)}</dd>
<dt>${words.purpose}</dt><dd>${words[scope]}</dd>
<dt>${words.lifetime}</dt><dd>${durationIn(language, lifetimeSeconds)}</dd>
</dl>
<form class="decision" method="post">
<button class="button" name="decision" value="approve">${words.approve}</button>
<button class="button quiet" name="decision" value="deny">${words.deny}</button>
</form>
</div></main>`;
}

function nothingToAllow({ provider }: AuthorizationRequest, language: Language): Markup {
  const words = authorizeWords(language);
  return html`<main><div class="card notice">
<p class="note">${words.sandbox}</p>
<h1>${words.noCertificateTitle}</h1>
<p>${words.noCertificate(provider.company)}</p>
<form class="decision" method="post">
<button class="button" name="decision" value="deny">${words.goBack}</button>
</form>
</div></main>`;
}

function identifierOf({ identifierType, identifier }: ProviderHolder): string {
  const [cpf, cnpj] = [parseCpf(identifier), parseCnpj(identifier)];
  const written = (cpf && formatCpf(cpf)) ?? (cnpj && formatCnpj(cnpj)) ?? identifier;
  return `${identifierType} ${written}`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** In the largest unit that leaves nothing over. @example durationIn('pt-BR', 604_800) // '7 dias' */
function durationIn(language: Language, seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds % each === 0) ?? (['second', 1] as const);
  const number = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return number.format(seconds / size);
}
