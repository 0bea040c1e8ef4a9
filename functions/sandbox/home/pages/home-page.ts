import { createHmac } from 'node:crypto';
import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { SERVICES } from '../../../../shared/settings/names.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { HOLDERS, type Holder } from '../../authority/domain/holders.ts';
import { APPROVER_LINK_SECRET, GUEST_KEY, REFUSED_KEYS, SANDBOX_KEY } from '../../sandbox-data.ts';
import { homeWords, serviceWords } from './home-words.ts';

// The page is at the engine's root and at /sandbox: both resolve relative addresses from the root.
const ROOT = 'sandbox';

/**
 * What runs on this machine, and what to try on it.
 * @example return homePage('http://localhost:3000', 'en')
 */
export async function homePage(rootUrl: string, language: Language): Promise<Answer> {
  const words = homeWords(language);
  const body = html`<main class="home">
<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
${openConsoles(rootUrl, language)}
${signNow(rootUrl, language)}
<section class="card"><h2>${words.pages}</h2>${pages(rootUrl, language)}</section>
<section class="card"><h2>${words.services}</h2>${servicesTable(rootUrl, language)}</section>
<div class="columns">
<section class="card"><h2>${words.people}</h2><p class="faint">${words.peopleUse}</p>${peopleTable(language)}<p class="faint">${words.providers}</p></section>
<div class="stack">
<section class="card"><h2>${words.key}</h2><pre tabindex="0"><code>${SANDBOX_KEY}</code></pre><p class="faint">${words.keyUse} ${words.otherKeys} <code>${GUEST_KEY}</code>. ${words.refusedKeys} ${REFUSED_KEYS.map((key, at) => html`${at > 0 ? ', ' : ''}<code>${key}</code>`)}.</p></section>
<section class="card"><h2>${words.tryIt}</h2>${examples(rootUrl, language)}</section>
</div>
</div>
</main>`;
  return page({
    title: words.title,
    preview: { title: words.title, description: words.lead },
    formAction: "'self'",
    language,
    styles: [assetUrl(ROOT, 'common.css'), assetUrl(ROOT, 'sandbox-home.css')],
    body: renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` }),
  });
}

function servicesTable(rootUrl: string, language: Language): Markup {
  const words = homeWords(language);
  const purposes = serviceWords(language);
  // On a phone the cells of a row stand below each other.
  const rows = SERVICES.map(
    (service) => html`<tr><th scope="row">${service}</th><td>${purposes[service]}</td>
<td><a href="${rootUrl}/${service}"><code>${rootUrl}/${service}</code></a></td><td><a href="${rootUrl}/${service}/scalar/v1" aria-label="${words.reference}: ${service}">${words.reference}</a></td></tr>`,
  );
  return html`<table class="services">
<thead><tr><th scope="col" colspan="2">${words.service}</th><th scope="col">${words.baseUrl}</th><th scope="col">${words.reference}</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

/** The consoles of the sandbox's organization and of its university, as who may do everything there. */
const openConsoles = (rootUrl: string, language: Language): Markup => {
  const words = homeWords(language);
  const consoles = [
    { service: 'documents', title: words.console, hint: words.consoleHint, button: words.openConsole },
    {
      service: 'credentials',
      title: words.registrar,
      hint: words.registrarHint,
      button: words.openRegistrar,
    },
  ];
  return html`${consoles.map(
    ({ service, title, hint, button }) => html`<section class="card now"><h2>${title}</h2>
<p>${hint}</p>
<form method="post" action="${rootUrl}/${service}/login/sandbox"><button class="button">${button}</button></form></section>`,
  )}`;
};

/** A document to sign, and the certificate for it: the first minute of a newcomer. */
function signNow(rootUrl: string, language: Language): Markup {
  const words = homeWords(language);
  return html`<section class="card now"><h2>${words.signNow}</h2>
<ol class="steps">
<li><a href="${rootUrl}/sandbox/holders/${SIGNER}.p12" download>${words.fetchCertificate(`${SIGNER}.p12`)}</a> ${words.password} <code>${SIGNER_PIN}</code></li>
<li><form method="post" action="${rootUrl}/sandbox/sample-document"><button class="button">${words.sign}</button></form>
<p class="faint">${words.signHint}</p></li>
</ol></section>`;
}

const SIGNER = '52998224725';
const SIGNER_PIN = HOLDERS.find(({ name }) => name === SIGNER)?.pin ?? '';

/** The pages for people, each with a way in. */
function pages(rootUrl: string, language: Language): Markup {
  const words = homeWords(language);
  const links = [
    ['docs', words.docs, words.docsHint],
    ['documents/verification', words.verify, words.verifyHint],
    ['credentials/verify', words.degree, words.degreeHint],
    ['batch', words.dashboard, words.dashboardHint],
    [`batch/approvals/link/${approverToken(APPROVER)}`, words.portal, words.portalHint],
    ['documents/console/organization/webhooks', words.webhooks, words.webhooksHint],
  ];
  return html`<ul class="pages">
${links.map(
  ([path, text, hint]) => html`<li><a href="${rootUrl}/${path}">${text}</a><p class="faint">${hint}</p></li>`,
)}</ul>`;
}

const APPROVER = 'ana@sandbox.example';

/** The end of an approver's link, as the batch service makes it with the secret of the local stage. */
const approverToken = (address: string): string =>
  createHmac('sha256', APPROVER_LINK_SECRET).update(address).digest('base64url');

function peopleTable(language: Language): Markup {
  const words = homeWords(language);
  // Those at a cloud provider have no PIN here: the hub's sandbox providers ask for consent instead.
  const rows = HOLDERS.flatMap((holder) =>
    holder.pin === undefined
      ? []
      : html`<tr><th scope="row"><a href="${ROOT}/holders/${holder.name}.p12" download><code>${holder.name}</code></a></th><td><code>${holder.pin}</code></td><td>${words[kindOf(holder)]}</td></tr>`,
  );
  return html`<div class="wide" tabindex="0" role="region" aria-label="${words.people}"><table>
<thead><tr><th scope="col">${words.cpf}</th><th scope="col">${words.pin}</th><th scope="col">${words.certificate}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function kindOf({ expired, revoked, issuer, fields, inVault }: Holder) {
  if (expired) return 'expired';
  if (revoked) return 'revoked';
  if (issuer === 'untrusted' || issuer === 'unreachable') return issuer;
  if (!('person' in fields)) return 'company';
  if (!inVault) return 'workstation';
  return fields.email === undefined ? 'noEmail' : 'active';
}

function examples(rootUrl: string, language: Language): Markup {
  const words = homeWords(language);
  const links = [
    ['sandbox/receiver/mine', words.received],
    ['sandbox/mailbox', words.mail],
    ['sandbox/pki/root.crt', words.root],
  ];
  return html`<ul class="links">${links.map(([path, text]) => html`<li><a href="${rootUrl}/${path}">${text}</a></li>`)}</ul>
<h3>${words.openSession}</h3>
<pre tabindex="0"><code>curl -s -X POST ${rootUrl}/session/v1/sessions \\
  -H 'X-API-Key: ${SANDBOX_KEY}' \\
  -H 'Content-Type: application/json' \\
  -d '{"cpf":"52998224725","pin":"1234"}'</code></pre>
<p class="faint">${words.next}</p>`;
}
